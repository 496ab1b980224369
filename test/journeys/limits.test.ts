/** Limits through the whole program: settings, results, a conversation's shell, background jobs and doctor. */
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProgramWorld, type ProgramWorld } from '../kit/program.ts';
import { callTool, expectOutcome } from '../kit/tool-call.ts';

const hog = `perl -e '$x = "a" x 300_000_000; print length $x'`;
const tight = { sandbox: { limits: { memoryMegabytes: 200, processes: 64, fileMegabytes: 20 } } };

async function bash(world: ProgramWorld, command: string, flags: readonly string[] = []) {
  const end = await world.run(['run', 'bash', JSON.stringify({ command }), '--json', ...flags]);
  return expectOutcome(end) as { ok: boolean; text: string; data: { stdout: string; exit_code: number | null } };
}

describe('[A31] limits from settings.json', () => {
  test('are named in the result, and the conversation’s shell goes on with what it had', async () => {
    const world = createProgramWorld();
    world.writeSettings(tight);
    const flags = ['--conversation', 'limited'];
    await bash(world, 'export KEPT=1; cd /tmp', flags);
    const hit = await bash(world, `${hog} & wait $!; echo "code $?"`, flags);
    expect(hit.data.stdout).toBe(hit.data.stdout.includes('Killed') ? hit.data.stdout : 'code 137\n');
    expect(hit.text).toContain('200 MB in all');
    expect(hit.text).toContain('sandbox.limits.memoryMegabytes');
    expect((await bash(world, 'echo "$KEPT $PWD"', flags)).data.stdout).toBe('1 /tmp\n');
  });

  test('twin: as they are by default the same command goes through', async () => {
    const world = createProgramWorld();
    const free = await bash(world, hog);
    expect(free).toMatchObject({ data: { stdout: '300000000', exit_code: 0 } });
    expect(free.text).not.toContain('sandbox.limits');
  });

  test('hold on the host rung as well', async () => {
    const world = createProgramWorld();
    world.writeSettings({ sandbox: { ...tight.sandbox, rung: 'host' }, tool_enabled_execute_shell_command: true });
    const hit = await bash(world, 'head -c 30000000 /dev/zero >big; wc -c <big', ['--approve', 'all']);
    expect(hit.data.stdout).toBe(`${20 * 2 ** 20}\n`);
    expect(hit.text).toContain('sandbox.limits.fileMegabytes');
  });

  test('a background job that hits one says so', async () => {
    const world = createProgramWorld();
    world.writeSettings(tight);
    const flags = ['--conversation', 'jobs'];
    const started = await callTool(world, 'bash', { command: hog, background: true }, { flags });
    const log = { action: 'log', session_id: String(started.outcome.data?.['session_id']) };
    const told = async (): Promise<string> => (await callTool(world, 'manage_process', log, { flags })).outcome.text;
    await expect.poll(told, { timeout: 20_000, interval: 200 }).toContain('sandbox.limits.memoryMegabytes');
  });

  test('doctor says what holds each of them', async () => {
    const world = createProgramWorld();
    const { stdout } = await world.run(['doctor']);
    const limits = [...stdout.matchAll(/^. limits +([a-z ]+):/gmu)].map((match) => match[1]);
    expect(limits).toEqual(['memory', 'processes', 'processor time', 'files and disks']);
  });

  test('a limit that is none is refused with its key', async () => {
    const world = createProgramWorld();
    world.writeSettings({ sandbox: { limits: { processes: 1 } } });
    const { code, stderr } = await world.run(['run', 'bash', '{"command":"true"}']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('sandbox.limits.processes');
  });
});

describe('compilers and languages under the default limits', () => {
  test('gcc, node with a large heap, perl with threads and a million lines', async () => {
    const world = createProgramWorld();
    copyFileSync(process.execPath, path.join(world.workspace, 'node'));
    const cases: readonly (readonly [string, string])[] = [
      [`printf '#include <stdio.h>\\nint main(){puts("hi");}' >h.c && gcc h.c -o h && ./h`, 'hi\n'],
      [
        `./node --max-old-space-size=1024 -e 'const a=[];for(let i=0;i<100;i++)a.push(new Array(1e6).fill(i));console.log(process.memoryUsage().heapUsed>7e8)'`,
        'true\n',
      ],
      [`perl -Mthreads -e '$_->join for map { threads->create(sub { 1 }) } 1..300; print "joined"'`, 'joined'],
      ['seq 1000000 | tail -1', '1000000\n'],
    ];
    for (const [command, printed] of cases) {
      const result = await bash(world, command);
      expect(result.data, command).toMatchObject({ stdout: printed, exit_code: 0 });
      expect(result.text).not.toContain('sandbox.limits');
    }
  }, 120_000);
});
