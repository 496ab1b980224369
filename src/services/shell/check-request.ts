/** Refuses requests that no shell could run as they are meant, and variables that would change what a command means. */
import { posix } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';
import type { ShellRequest } from '../../contract/services.ts';

/** execve(2) takes at most 128 KiB in one string. */
const maxVariableBytes = 120_000;
const maxEnvironmentBytes = 1_000_000;
const maxCommandBytes = 16 * 1024 * 1024;

export type IsForbiddenName = (name: string) => boolean;

/** On the host rung these would make an approved command run another program. Inside the sandbox they harm nobody. */
export const isForbiddenOnHost: IsForbiddenName = (name) =>
  name === 'PATH' || /^(LD|DYLD)_/.test(name) || ['BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS'].includes(name);

export function checkCommand(command: string): void {
  if (command.trim() === '') throw new ToolFailure('invalid_input', 'The command is empty.');
  if (command.includes('\0')) {
    throw new ToolFailure(
      'invalid_input',
      'The command holds a NUL byte, which no shell can take. Use printf "\\0" or a file.',
    );
  }
  if (Buffer.byteLength(command) > maxCommandBytes) {
    throw new ToolFailure('too_large', 'The command is longer than 16 MB. Write the data to a file and work on that.');
  }
}

export function checkEnvironment(
  environment: ShellRequest['env'],
  isForbidden: IsForbiddenName,
): Record<string, string> {
  const checked: Record<string, string> = {};
  let totalBytes = 0;
  for (const [name, value] of Object.entries(environment ?? {})) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw new ToolFailure(
        'invalid_input',
        `"${name}" cannot be a variable's name: letters, digits and _ only, no digit first.`,
      );
    }
    if (isForbidden(name)) {
      throw new ToolFailure(
        'denied',
        `The variable ${name} cannot be set for commands outside the sandbox. Leave it out.`,
      );
    }
    if (value.includes('\0')) throw new ToolFailure('invalid_input', `The value of ${name} holds a NUL byte.`);
    const bytes = Buffer.byteLength(value);
    totalBytes += bytes;
    if (bytes > maxVariableBytes || totalBytes > maxEnvironmentBytes) {
      throw new ToolFailure(
        'too_large',
        `The value of ${name} is too long for a variable. Write it to a file instead.`,
      );
    }
    checked[name] = value;
  }
  return checked;
}

/** The absolute folder to run in, as the command will see it. Whether it exists there is seen when it starts. */
export function resolveWorkingDir(workingDir: string | undefined, places: { workspace: string; home: string }): string {
  if (workingDir === undefined || workingDir === '') return places.workspace;
  if (workingDir.includes('\0')) throw new ToolFailure('invalid_input', 'The working directory holds a NUL byte.');
  if (workingDir === '~' || workingDir.startsWith('~/')) return posix.join(places.home, workingDir.slice(1));
  return posix.resolve(places.workspace, workingDir);
}
