/** Conversations' shells for an ordinary user, for root in that user's workspace, and for root in a workspace of its own. */
import { chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRoot, makeOrdinaryFolder, ordinaryUid, runAsOrdinaryUser } from '../../../../test/kit/ordinary-user.ts';
import { openShellWorld } from '../../../../test/kit/shell-world.ts';

type Result = {
  readonly exitCode?: number | null;
  readonly stdout?: { readonly text: string };
  readonly timedOut?: boolean;
  readonly notes?: readonly string[];
};

let folder: ReturnType<typeof makeOrdinaryFolder>;
beforeEach(() => {
  folder = makeOrdinaryFolder();
});
afterEach(() => folder.remove());

/** State, a background process, a timeout, a copy, the end of the shell, and what the next one gets. */
const story = [
  { command: 'cd /tmp; export A=1; f() { echo f; }; sleep 6000 & id -u' },
  { command: 'pwd; f; echo $A; jobs | grep -c sleep; echo x >/dev/stderr; ls /run/handrail/io | head -1' },
  { command: "trap '' TERM; setsid sleep 6001 & sleep 6002", request: { timeoutMs: 300 } },
  { command: 'f; exit 5', more: { callsTogether: 2 } },
  { command: 'jobs | grep -c sleep; f; exit 6' },
  { command: 'pwd; echo $A; ls /proc/1/fd >/dev/null && echo open' },
].map((step) => ({ ...step, more: { ...step.more, conversation: 'a' } }));

function checkStory(results: readonly Result[], uid: number): void {
  const [first, second, third, copy, last, next] = results;
  expect(first?.stdout?.text).toBe(`${uid}\n`);
  expect(second?.stdout?.text).toMatch(/^\/tmp\nf\n1\n1\n/);
  expect(third).toMatchObject({ exitCode: null, timedOut: true, notes: [expect.stringContaining('still running')] });
  expect(copy).toMatchObject({ exitCode: 5, stdout: { text: 'f\n' } });
  expect(last).toMatchObject({ exitCode: 6, stdout: { text: '1\nf\n' } });
  expect(last?.notes?.join()).toContain('Kept: the directory /tmp and the exported variable A. Lost: the function f');
  expect(next?.stdout?.text).toContain('/tmp\n1\n');
  expect(next?.notes).toEqual([]);
}

describe("a conversation's shell", () => {
  it('[S02] [S22] works for an ordinary user', async () => {
    const input = { world: {}, commands: story };
    const script = 'test/fixtures/shell-session.ts';
    const session = (await runAsOrdinaryUser(script, input, folder.path, { TMPDIR: folder.path })) as {
      results: Result[];
    };
    checkStory(session.results, ordinaryUid);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('[S02] [S22] works for whoever runs the tests, in a workspace of its own', async () => {
    const world = openShellWorld();
    try {
      const results: Result[] = [];
      for (const { command, request, more } of story) results.push(await world.run(command, request, more));
      checkStory(results, isRoot ? 1000 : ordinaryUid);
    } finally {
      await world.close();
    }
  });

  it.runIf(isRoot)("[S02] [S22] works for root in another's workspace, as that user", async () => {
    const workspace = join(folder.path, 'workspace');
    mkdirSync(workspace);
    chownSync(workspace, ordinaryUid, ordinaryUid);
    const world = openShellWorld({ workspace });
    try {
      const results: Result[] = [];
      for (const { command, request, more } of story) results.push(await world.run(command, request, more));
      checkStory(results, ordinaryUid);
      await world.run('touch made', { workingDir: '.' }, { conversation: 'a' });
      expect(statSync(join(workspace, 'made')).uid).toBe(ordinaryUid);
    } finally {
      await world.close();
    }
  });
});
