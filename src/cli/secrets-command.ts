/** `handrail secrets`: names are shown, values never. */
import { MisuseFailure } from '../contract/failure.ts';
import type { CommandLine } from './face.ts';
import { readAllText } from './read-stdin.ts';

export async function setSecret(face: CommandLine, name: string): Promise<number> {
  const value = process.stdin.isTTY === true ? await askHidden(name) : await readAllText(process.stdin);
  const handrail = await face.open({ needsNoWorkspace: true });
  try {
    const { kind, setAside } = await handrail.secrets.set(name, value);
    if (setAside !== undefined) process.stderr.write(`The old store was damaged and lies in ${setAside} now.\n`);
    process.stderr.write(
      `Kept ${name} ${kind === 'keyring' ? "in the desktop's keyring" : 'in a file that only you can read'}.\n`,
    );
    return 0;
  } finally {
    await handrail.close();
  }
}

export async function removeSecret(face: CommandLine, name: string): Promise<number> {
  const handrail = await face.open({ needsNoWorkspace: true });
  try {
    if (!(await handrail.secrets.remove(name)))
      throw new MisuseFailure(`There is no secret named ${name}. \`handrail secrets list\` shows the names.`);
    process.stderr.write(`Removed ${name}.\n`);
    return 0;
  } finally {
    await handrail.close();
  }
}

export async function listSecrets(face: CommandLine): Promise<number> {
  const handrail = await face.open({ needsNoWorkspace: true });
  try {
    for (const name of await handrail.secrets.names()) process.stdout.write(`${name}\n`);
    return 0;
  } finally {
    await handrail.close();
  }
}

async function askHidden(name: string): Promise<string> {
  const { password, isCancel } = await import('@clack/prompts');
  const value = await password({ message: `Value of ${name} (it is not shown)` });
  if (isCancel(value)) throw new MisuseFailure('Nothing was kept.');
  return value;
}
