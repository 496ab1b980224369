/** The tools with their state, read when the page opens and whenever the settings change. */
import { useEffect, useState } from 'react';
import type { ToolStatus } from '../../../contract/handrail.ts';
import { useApp, useStore } from '../../app/use-app.ts';

export type ReadTools = {
  /** Undefined until they were read. */
  readonly tools: readonly ToolStatus[] | undefined;
  readonly hasFailed: boolean;
  retry(): void;
};

export function useTools(): ReadTools {
  const { api, live } = useApp();
  const { settingsChanges } = useStore(live.state);
  const [tries, setTries] = useState(0);
  const [read, setRead] = useState<Pick<ReadTools, 'tools' | 'hasFailed'>>({ tools: undefined, hasFailed: false });
  useEffect(() => {
    let isOver = false;
    api.tools().then(
      (tools) => isOver || setRead({ tools, hasFailed: false }),
      () => isOver || setRead((before) => ({ ...before, hasFailed: true })),
    );
    return () => {
      isOver = true;
    };
  }, [api, settingsChanges, tries]);
  return { ...read, retry: () => setTries((before) => before + 1) };
}
