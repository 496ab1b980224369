/** Commands that make other programs hang, leak or lie: each returns in time, with the true code, and leaves nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hangCases, newMark, processesWith } from '../../../test/kit/hang-cases.ts';
import { openShellWorld, type ShellWorld } from '../../../test/kit/shell-world.ts';

const endedAfterMs = 500;
/** What ends by itself is ended later than that: a busy machine is no reason. It must still return within the same time. */
const limitMs = (code: number | null): number => (code === null ? endedAfterMs : 15_000);
/** Three steps of ending, and a machine that does other things besides. */
const slackMs = 4_000;

describe.each(['namespaces', 'host'] as const)('on the rung %s, a command that', (rung) => {
  let world: ShellWorld;
  beforeAll(() => {
    world = openShellWorld({ rung });
  });
  afterAll(() => world.close());

  const cases = hangCases.filter(({ onlyInside }) => onlyInside !== true || rung !== 'host');
  describe.each([true, false])('alone: %s', (isAlone) => {
    const mine = cases.filter((each) => (each.isAlone === true) === isAlone);
    (isAlone ? it : it.concurrent).each(mine)('$title', async ({ command, code, stdout, stderr, timeoutMs }) => {
      const mark = newMark();
      const startedAt = performance.now();
      const result = await world.run(command.replaceAll('MARK', mark), { timeoutMs: timeoutMs ?? limitMs(code) });
      expect(performance.now() - startedAt).toBeLessThan((timeoutMs ?? endedAfterMs) + slackMs);
      expect({ exitCode: result.exitCode, timedOut: result.timedOut }).toEqual({
        exitCode: code,
        timedOut: code === null,
      });
      if (typeof stdout === 'string') expect(result.stdout.text).toBe(stdout);
      else if (stdout !== undefined) expect(result.stdout.text).toMatch(stdout);
      if (stderr !== undefined) expect(result.stderr.text).toMatch(stderr);
      expect(result.stdout.text.length).toBeLessThanOrEqual(30_000);
      expect(processesWith(mark)).toEqual([]);
    });
  });
});
