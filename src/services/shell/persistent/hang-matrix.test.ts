/** The hang matrix in conversations' shells: each command returns in time with the true code, and the shell goes on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hangCases, newMark, processesWith } from '../../../../test/kit/hang-cases.ts';
import { openShellWorld, type ShellWorld } from '../../../../test/kit/shell-world.ts';

const endedAfterMs = 500;
/** What ends by itself is ended later than that: a busy machine is no reason. It must still return within the same time. */
const limitMs = (code: number | null): number => (code === null ? endedAfterMs : 15_000);
/** Four steps of ending, and a machine that does other things besides. */
const slackMs = 5_000;
/** One after the other in each: what a command did to its shell must not reach the next one. */
const shellCount = 8;

describe.each(['namespaces', 'host'] as const)('in a shell on the rung %s, a command that', (rung) => {
  let world: ShellWorld;
  const left: string[] = [];
  beforeAll(() => {
    world = openShellWorld({ rung, shell: { shells: { idle: { maxShells: shellCount, maxMs: 60_000 } } } });
  });
  afterAll(async () => {
    await world.close();
    expect(left.flatMap(processesWith)).toEqual([]);
  });

  const cases = hangCases
    .filter(({ onlyInside }) => onlyInside !== true || rung !== 'host')
    .map((hang, index) => ({ ...hang, index }));

  describe.each([true, false])('alone: %s', (isAlone) => {
    const mine = cases.filter((each) => (each.isAlone === true) === isAlone);
    (isAlone ? it : it.concurrent).each(mine)('$title', async ({ command, inShell, index, ...hang }) => {
      const { code, stdout, stderr } = { ...hang, ...inShell };
      const timeoutMs = hang.timeoutMs ?? limitMs(code);
      const mark = newMark();
      left.push(mark);
      const conversation = `shell-${index % shellCount}`;
      const result = await world.run(command.replaceAll('MARK', mark), { timeoutMs }, { conversation });
      expect(result.durationMs).toBeLessThan((hang.timeoutMs ?? endedAfterMs) + slackMs);
      expect({ exitCode: result.exitCode, timedOut: result.timedOut }).toEqual({
        exitCode: code,
        timedOut: code === null,
      });
      if (typeof stdout === 'string') expect(result.stdout.text).toBe(stdout);
      else if (stdout !== undefined) expect(result.stdout.text).toMatch(stdout);
      if (stderr !== undefined) expect(result.stderr.text).toMatch(stderr);
      if (code === null) expect(processesWith(mark)).toEqual([]);
      const next = await world.run('echo on', { timeoutMs: 20_000 }, { conversation });
      expect(next).toMatchObject({ exitCode: 0, stdout: { text: 'on\n' } });
    });
  });
});
