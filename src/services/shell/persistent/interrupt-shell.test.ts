/** Stop, however a command runs: it hears SIGINT, and what it says to that is shown. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShellWorld, type RunMore, type ShellWorld } from '../../../../test/kit/shell-world.ts';
import { soak } from '../../../../test/kit/soak.ts';

const ways: readonly { readonly way: string; readonly more: RunMore }[] = [
  { way: "the conversation's shell", more: { conversation: 'a' } },
  { way: 'a copy of it', more: { conversation: 'a', callsTogether: 2 } },
  { way: 'a process of its own', more: {} },
];

describe.each(['namespaces', 'host'] as const)('on the rung %s', (rung) => {
  let world: ShellWorld;
  beforeAll(() => {
    world = openShellWorld({ rung });
  });
  afterAll(() => world.close());

  /** Runs it until it has printed `up`, presses Stop then, and resolves with everything that was shown. */
  async function stop(command: string, more: RunMore): Promise<string> {
    const stopped = new AbortController();
    let shown = '';
    const onOutput = ({ text }: { text: string }): void => {
      shown += text;
      if (shown.includes('up\n')) stopped.abort();
    };
    const result = world.run(command, {}, { ...more, signal: stopped.signal, onOutput });
    await expect(result).rejects.toMatchObject({ code: 'cancelled' });
    return shown;
  }

  it.each(ways)('[S19] in $way a trap on INT runs and what it prints is shown', async ({ more }) => {
    const command = "trap 'echo bye; exit 0' INT; echo up; while :; do sleep 0.01; done";
    for (let round = 0; round < soak(5); round += 1) expect(await stop(command, more)).toBe('up\nbye\n');
  });

  it.each(ways)('[S19] in $way a program hears it, and its shell after it', async ({ more }) => {
    const program = `sh -c 'trap "echo heard; exit 3" INT; echo up; while :; do sleep 0.01; done'`;
    expect(await stop(`trap 'echo too' INT; ${program}`, more)).toMatch(/^up\nheard\n(too\n)?$/);
  });

  it('[S19] [S35] a loop of short programs ends with the one that runs, and the shell goes on with all it had', async () => {
    const shell = { conversation: 'b' };
    await world.run('kept=1', {}, shell);
    for (let round = 0; round < soak(10); round += 1)
      expect(await stop('echo up; while :; do sleep 0.01; done', shell)).toBe('up\n');
    expect(await world.run('echo $kept', {}, shell)).toMatchObject({ stdout: { text: '1\n' }, notes: [] });
  });
});
