/** Background jobs of an ordinary user, of root, and of root in somebody else's workspace. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { findSupervisor, processesWith, untilNoProcessWith } from '../kit/jobs-world.ts';
import { giveToOrdinaryUser, isRoot, ordinaryUid, runAsOrdinaryUser, runPlainly } from '../kit/private-mounts.ts';
import { createProgramWorld } from '../kit/program.ts';
import { expectOutcome } from '../kit/tool-call.ts';

type Case = { readonly name: string; readonly as: 'root' | 'user'; readonly workspaceOf: 'root' | 'user' };
const ordinary: Case = { name: 'an ordinary user', as: 'user', workspaceOf: 'user' };
const cases: readonly Case[] = isRoot
  ? [
      ordinary,
      { name: 'root in a workspace of root', as: 'root', workspaceOf: 'root' },
      { name: 'root in a workspace of an ordinary user', as: 'root', workspaceOf: 'user' },
    ]
  : [ordinary];

test.each(cases)(
  '$name starts, reads and kills jobs, and a killed supervisor leaves nothing',
  async (each) => {
    const world = createProgramWorld();
    if (each.as === 'user') giveToOrdinaryUser(world.root);
    else if (each.workspaceOf === 'user') giveToOrdinaryUser(world.workspace);
    const run = (args: readonly string[]) =>
      each.as === 'user' ? runAsOrdinaryUser(world, args) : runPlainly(world, args);
    onTestFinished(async () => void (await run(['jobs', 'stop-all'])));
    const call = async (tool: string, input: object) =>
      expectOutcome(await run(['run', tool, JSON.stringify(input), '--json']));
    const manage = (action: string, more: object = {}) => call('manage_process', { action, ...more });
    const mark = `${40_000 + process.pid}.${cases.indexOf(each)}`;

    const command = `id -u; echo made >by-job; echo err >&2; setsid sleep ${mark} & trap '' TERM; sleep ${mark}`;
    const started = await call('bash', { command, background: true });
    expect(started, started.text).toMatchObject({ ok: true, data: { session_id: 'bg-1', status: 'running' } });
    let log = await manage('log', { session_id: 'bg-1' });
    while ((log.data as { total_stdout_lines: number }).total_stdout_lines < 2) {
      await sleep(50);
      log = await manage('log', { session_id: 'bg-1' });
    }
    expect(log.data).toMatchObject({ status: 'running', stdout: expect.stringMatching(/^\d+\nerr$/u) });
    const owner = each.workspaceOf === 'root' ? 0 : ordinaryUid;
    expect(statSync(path.join(world.workspace, 'by-job')).uid).toBe(owner);
    expect(await manage('kill', { session_id: 'bg-1' })).toMatchObject({ data: { status: 'killed' } });
    expect(processesWith(mark)).toEqual([]);

    await call('bash', { command, background: true });
    process.kill(findSupervisor(path.join(world.stateFolder, 'jobs')) ?? 0, 'SIGKILL');
    await untilNoProcessWith(mark);
    expect(await manage('list')).toMatchObject({
      data: { running: [], finished: [{ status: 'killed' }, { session_id: 'bg-2', status: 'lost' }] },
    });
    // [A23] What is kept of a job is for whoever runs the program alone.
    const kept = path.join(world.stateFolder, 'jobs');
    expect([statSync(kept).mode & 0o077, statSync(kept).uid]).toEqual([0, each.as === 'root' ? 0 : ordinaryUid]);
  },
  90_000,
);
