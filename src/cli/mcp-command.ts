/** `handrail mcp`: standard output belongs to the protocol, everything else goes to standard error. */
import { escapeInvisible } from '../base/escape-invisible.ts';
import type { ApproveMode } from '../contract/permission.ts';
import type { CommandLine } from './face.ts';

export type McpOptions = { readonly workspace?: string; readonly approve?: ApproveMode; readonly tools?: string };

export async function mcpCommand(face: CommandLine, options: McpOptions): Promise<number> {
  const handrail = await face.open(options.workspace === undefined ? {} : { workspace: options.workspace });
  try {
    const names = options.tools
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    await face.serveMcp({
      handrail,
      approve: options.approve ?? 'ask',
      ...(names === undefined ? {} : { tools: names }),
      onProblem: (line) => void process.stderr.write(`handrail mcp: ${escapeInvisible(line)}\n`),
    });
    return 0;
  } finally {
    await handrail.close();
  }
}
