/** Whether a call only watches a job, which the loop does not count as a repeat. */
import { parseInput } from './parse-input.ts';
import type { ToolRegistry } from './registry.ts';

export async function callPolls(registry: ToolRegistry, name: string, input: string): Promise<boolean> {
  const tool = await registry.get(name);
  if (tool?.polls === undefined) return false;
  try {
    return tool.polls(parseInput(tool, name, input).input);
  } catch {
    // Arguments that do not fit are no polling; the call itself was answered with what is wrong.
    return false;
  }
}
