/** `handrail tools`: what there is, what is on, and with --json the whole contract of each. */
import type { CommandLine } from './face.ts';
import { printAll } from './print-all.ts';

export async function toolsCommand(
  face: CommandLine,
  options: { readonly json?: boolean; readonly offered?: boolean },
): Promise<number> {
  const handrail = await face.open({ needsNoWorkspace: true });
  try {
    const all = await handrail.listTools();
    const tools = options.offered === true ? all.filter((tool) => tool.isEnabled) : all;
    if (options.json === true) {
      await printAll(process.stdout, `${JSON.stringify(tools, null, 2)}\n`);
      return 0;
    }
    const width = Math.max(...tools.map((tool) => tool.name.length));
    const lines = tools.map(
      (tool) =>
        `${tool.isEnabled ? ' ' : '-'} ${tool.name.padEnd(width)}  ${tool.isEnabled ? firstSentence(tool.description) : `off: ${tool.reason}`}`,
    );
    await printAll(process.stdout, `${lines.join('\n')}\n`);
    return 0;
  } finally {
    await handrail.close();
  }
}

const firstSentence = (text: string): string => /^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text;
