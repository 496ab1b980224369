/** `handrail confirm`: settings that weaken the rail count once somebody who sits at a terminal has said so. */
import { createInterface } from 'node:readline/promises';
import { MisuseFailure } from '../contract/failure.ts';
import type { Handrail } from '../contract/handrail.ts';
import type { CommandLine } from './face.ts';

export async function confirmCommand(face: CommandLine, options: { readonly yes?: boolean }): Promise<number> {
  const handrail = await face.open({ needsNoWorkspace: true });
  try {
    const pending = handrail.confirmations.pending();
    if (pending.length === 0) {
      process.stdout.write('Everything is in force as the settings say.\n');
      return 0;
    }
    process.stdout.write(`${pending.join('\n')}\n`);
    if (options.yes !== true && !(await isYes())) {
      process.stdout.write('Nothing was changed.\n');
      return 1;
    }
    handrail.confirmations.confirm();
    process.stdout.write('Confirmed: it is in force for whatever begins now.\n');
    return 0;
  } finally {
    await handrail.close();
  }
}

/** For commands that answer a script: whoever changed the settings must learn why they do not hold. */
export function tellPending({ confirmations }: Handrail): void {
  for (const sentence of confirmations.pending()) process.stderr.write(`handrail: ${sentence}\n`);
}

/** Before a chat begins. A no leaves the stronger values in force; true: they hold once it is opened again. */
export async function confirmInTerminal({ confirmations }: Handrail): Promise<boolean> {
  process.stdout.write(`${confirmations.pending().join('\n')}\n`);
  const yes = await isYes();
  if (yes) confirmations.confirm();
  return yes;
}

async function isYes(): Promise<boolean> {
  if (process.stdin.isTTY !== true) {
    throw new MisuseFailure('There is no terminal to ask on. To confirm without being asked: handrail confirm --yes');
  }
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await reader.question('Put this in force? Type yes: ');
    return answer.trim().toLowerCase() === 'yes';
  } finally {
    reader.close();
  }
}
