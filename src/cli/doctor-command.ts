/** `handrail doctor`: what is well, what is not, and the command that mends it. */
import type { Finding } from '../contract/handrail.ts';
import type { CommandLine } from './face.ts';
import { printAll } from './print-all.ts';

const signs: Readonly<Record<Finding['state'], string>> = { good: '✓', warning: '!', bad: '✗' };

/** Exit code 1 when something is bad. */
export async function doctorCommand(face: CommandLine, options: { readonly json?: boolean }): Promise<number> {
  const handrail = await face.open({ needsNoWorkspace: true, onlyLooks: true });
  try {
    const findings = await handrail.examine();
    const text =
      options.json === true
        ? JSON.stringify({ version: handrail.version, findings }, null, 2)
        : findings.map(findingLines).join('\n');
    await printAll(process.stdout, `${text}\n`);
    return findings.some((finding) => finding.state === 'bad') ? 1 : 0;
  } finally {
    await handrail.close();
  }
}

function findingLines(finding: Finding): string {
  const line = `${signs[finding.state]} ${finding.area.padEnd(12)} ${finding.text}`;
  return finding.fix === undefined ? line : `${line}\n  ${' '.repeat(12)} → ${finding.fix}`;
}
