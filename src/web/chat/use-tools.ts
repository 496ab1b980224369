/** The tools that can be called by name, read when they are first needed. */
import { useCallback, useEffect, useState } from 'react';
import type { ToolStatus } from '../../contract/handrail.ts';
import { useApp } from '../app/use-app.ts';

/** None: the server did not answer, which the connection line says. */
export function useTools(isNeeded: boolean): {
  readonly tools: readonly ToolStatus[];
  readonly readTools: () => Promise<readonly ToolStatus[]>;
} {
  const { api } = useApp();
  const [tools, setTools] = useState<readonly ToolStatus[]>([]);
  const readTools = useCallback(async () => {
    const read = await api.tools().catch(() => []);
    setTools(read);
    return read;
  }, [api]);
  useEffect(() => {
    if (isNeeded) void readTools();
  }, [readTools, isNeeded]);
  return { tools, readTools };
}
