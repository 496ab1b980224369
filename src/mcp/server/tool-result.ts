/** One call's outcome as an MCP result. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ToolStatus } from '../../contract/handrail.ts';
import type { JsonSchema } from '../../contract/model.ts';
import type { CallOutcome } from '../../contract/output.ts';
import { hasObjectOutput } from './tool-list.ts';

/** Undefined when the value fits, else what is wrong. */
export type CheckShape = (schema: JsonSchema, value: unknown) => string | undefined;

/** `onProblem` hears of data that breaks the tool's own promise: it is left out, because a client may refuse the whole result for it. */
export function toolResult(
  outcome: CallOutcome,
  tool: ToolStatus | undefined,
  checkShape: CheckShape,
  onProblem: (line: string) => void,
): CallToolResult {
  const data = outcome.data === undefined ? undefined : keptData(outcome.data, tool, checkShape, onProblem);
  const facts = {
    ...(outcome.error && { code: outcome.error.code }),
    ...(outcome.truncated !== undefined && { truncated: outcome.truncated }),
    ...(outcome.artifact && { artifact: outcome.artifact }),
    // For an agent that marks what others wrote, as ours does.
    ...(outcome.untrusted !== undefined && { untrusted: outcome.untrusted }),
  };
  return {
    content: [{ type: 'text', text: outcome.ok ? outcome.text : errorText(outcome) }],
    ...(data && { structuredContent: data }),
    ...(!outcome.ok && { isError: true }),
    ...(Object.keys(facts).length > 0 && { _meta: facts }),
  };
}

function errorText(outcome: CallOutcome): string {
  return `Error (${outcome.error?.code ?? 'failed'}): ${outcome.text || outcome.error?.message || 'no reason was given'}`;
}

function keptData(
  data: Readonly<Record<string, unknown>>,
  tool: ToolStatus | undefined,
  checkShape: CheckShape,
  onProblem: (line: string) => void,
): Record<string, unknown> | undefined {
  // What the client receives went through JSON: a key that is undefined is not there, a Date is a text.
  const sent = JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
  if (tool?.outputSchema === undefined || !hasObjectOutput(tool)) return sent;
  const problem = checkShape(tool.outputSchema, sent);
  if (problem === undefined) return sent;
  onProblem(`the data of ${tool.name} does not fit its output schema and was left out: ${problem}`);
  return undefined;
}
