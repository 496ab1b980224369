/** The real program on the container's rung: commands of a conversation, jobs, programs in a terminal. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { isRoot } from '../kit/ordinary-user.ts';
import { runScript, runWithMounts } from '../kit/private-mounts.ts';
import { createProgramWorld, type ProgramWorld } from '../kit/program.ts';

/** As test/kit/podman-here.ts has it; the processes that outlive the program must find the same machine. */
async function inOneGo(world: ProgramWorld, script: string): Promise<string[]> {
  const detour = 'umount /sys/fs/cgroup/unified 2>/dev/null\n';
  const end = isRoot ? await runWithMounts(world, detour + script) : await runScript(world, script);
  expect(end.code, end.stderr).toBe(0);
  return end.stdout.trim().split('\n');
}

const call = (tool: string, input: object): string =>
  `"$H" run ${tool} '${JSON.stringify(input)}' --json --conversation c1`;
type Outcome = { readonly ok: boolean; readonly text: string; readonly data: Readonly<Record<string, unknown>> };
const outcomes = (lines: readonly string[]): Outcome[] => lines.map((line) => JSON.parse(line) as Outcome);

test('[K45] [K41] a conversation’s commands keep their state, name the rung and what the network refused', async () => {
  const world = createProgramWorld();
  world.writeSettings({ sandbox: { rung: 'container' } });
  const [first, second, third] = outcomes(
    await inOneGo(
      world,
      [
        call('bash', { command: 'export A=1; cd /tmp; touch ~/kept' }),
        call('bash', { command: 'pwd; echo $A; ls ~; curl -sS http://no.example/' }),
        call('code_exec', { code: 'console.log(6 * 7)', language: 'javascript' }),
      ].join('\n'),
    ),
  );
  expect(first).toMatchObject({ ok: true, data: { rung: 'container' } });
  expect(second?.data['stdout']).toMatch(/^\/tmp\n1\nkept\nHandrail: no\.example:80 was not reached/);
  expect(second?.text).toContain('network: refused no.example:80');
  expect(third).toMatchObject({ ok: true, data: { stdout: '42\n' } });
  await world.untilQuiet();
}, 120_000);

test('[S28] [N09] a terminal is a real one: size, Ctrl-C, Ctrl-Z, a program that asks, its end, and nothing left', async () => {
  const fixture = path.resolve(import.meta.dirname, '../fixtures/container-terminal.ts');
  const end = await inOneGo(createProgramWorld(), `exec "${process.execPath}" "${fixture}"`);
  expect(JSON.parse(end[0] ?? '')).toEqual({ screens: expect.any(Array), exitCode: 7, left: [] });
}, 120_000);

test('[K61] a job outlives the program, and is killed from a later one', async () => {
  const world = createProgramWorld();
  world.writeSettings({ sandbox: { rung: 'container' } });
  const lines = await inOneGo(
    world,
    [
      `${call('bash', { command: 'echo begun; curl -sS http://no.example/; sleep 1000', background: true })} >job`,
      `id=$(grep -o '"session_id":"[^"]*"' job | cut -d'"' -f4)`,
      `ask() { "$H" run manage_process "{\\"action\\":\\"$1\\",\\"session_id\\":\\"$id\\"}" --json --conversation c1; }`,
      'for turn in $(seq 100); do ask log >log; grep -q "was not reached" log && break; sleep 0.1; done; cat log',
      'ask kill; ask remove >removed',
    ].join('\n'),
  );
  const [log, killed] = outcomes(lines);
  expect(log?.text).toContain('begun');
  expect(log?.text).toContain('no.example:80 was not reached');
  expect(killed?.ok).toBe(true);
  await world.untilQuiet();
}, 120_000);
