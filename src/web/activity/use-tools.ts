/** All tools, by the titles that people know. */
import { useEffect, useState } from 'react';
import type { ToolStatus } from '../../contract/handrail.ts';
import { useApp } from '../app/use-app.ts';

export function useTools(): readonly ToolStatus[] {
  const { api } = useApp();
  const [tools, setTools] = useState<readonly ToolStatus[]>([]);
  useEffect(() => {
    // Without them the names stand for the titles.
    api.tools().then(
      (all) => setTools(all.toSorted((one, other) => one.title.localeCompare(other.title))),
      () => undefined,
    );
  }, [api]);
  return tools;
}
