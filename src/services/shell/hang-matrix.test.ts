/** Commands that make other programs hang, leak or lie: each returns in time, with the true code, and leaves nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hangCases, newMark, processesWith } from '../../../test/kit/hang-cases.ts';
import { openShellWorld, type ShellWorld } from '../../../test/kit/shell-world.ts';

/** What ends by itself has the time that a busy machine takes for it. */
const defaultTimeoutMs = (code: number | null): number => (code === null ? 500 : 15_000);
/** Three steps of ending, and a machine that does other things besides. */
const slackMs = 4_000;

describe.each(['namespaces', 'host'] as const)('on the rung %s, a command that', (rung) => {
  let world: ShellWorld;
  beforeAll(() => {
    world = openShellWorld({ rung });
  });
  afterAll(() => world.close());

  it.concurrent.each(hangCases.filter(({ onlyInside }) => onlyInside !== true || rung !== 'host'))(
    '$title',
    async ({ command, code, stdout, stderr, timeoutMs = defaultTimeoutMs(code) }) => {
      const mark = newMark();
      const startedAt = performance.now();
      const result = await world.run(command.replaceAll('MARK', mark), { timeoutMs });
      expect(performance.now() - startedAt).toBeLessThan(timeoutMs + slackMs);
      expect({ exitCode: result.exitCode, timedOut: result.timedOut }).toEqual({
        exitCode: code,
        timedOut: code === null,
      });
      if (typeof stdout === 'string') expect(result.stdout.text).toBe(stdout);
      else if (stdout !== undefined) expect(result.stdout.text).toMatch(stdout);
      if (stderr !== undefined) expect(result.stderr.text).toMatch(stderr);
      expect(result.stdout.text.length).toBeLessThanOrEqual(30_000);
      expect(processesWith(mark)).toEqual([]);
    },
  );
});
