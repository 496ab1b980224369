/** Starts any program in the sandbox: a single command, a conversation's shell, a background job, a terminal. */
import { execFile } from 'node:child_process';
import { openSync } from 'node:fs';
import type { Server } from 'node:net';
import { missingRungMessage } from '../sandbox/detect-rungs.ts';
import type { WayOut } from '../net/network-entry.ts';
import type { Sandbox } from '../sandbox/create-sandbox.ts';
import type { Handle, Launch, LaunchRequest, LaunchView } from '../sandbox/sandbox-launch.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { KillTarget } from './end-tree.ts';
import { type Hunt, planHunt } from './hunt.ts';
import { openGate } from './open-gate.ts';
import { prepareProgram } from './prepare-program.ts';
import { readFirstReport } from './first-process.ts';
import type { LimitGroup } from '../limits/limit-group.ts';
import { maxFeedBytes, type Pipe, type PipePool } from './pipe-pool.ts';
import { descendantsOf, listProcesses, sendSignal } from './process-tree.ts';
import { type Program, type ProgramHandle, spawnProgram } from './spawn-program.ts';

/** What the program reads and writes. Descriptors in it are closed here, whatever happens. */
export type ProgramStreams = {
  /** Omitted: /dev/null. */
  readonly stdin?: ProgramHandle;
  readonly stdout: ProgramHandle;
  readonly stderr: ProgramHandle;
  /** The program finds them from `firstProgramHandle` on; as many as `handleCount` says. */
  readonly handles?: readonly ProgramHandle[];
};

export type ProgramStart = Pick<LaunchRequest, 'workspace' | 'binds' | 'keepsTerminal' | 'tree'> & {
  readonly sandbox: Sandbox;
  /** Where the pipes come from that the start itself needs. */
  readonly pool: PipePool;
  /** Whose network it has: answers and notes are the conversation's. Omitted: nobody's, and nobody is asked. */
  readonly conversationId?: string;
  /** The conversation whose /tmp it shares. Omitted: one of its own, in memory. */
  readonly temporaryOf?: string;
  /** On top of the sandbox's own. PATH is the program's alone. */
  readonly environment: Readonly<Record<string, string>>;
  /** Descriptors of ours that must not reach it. */
  readonly shadowed: readonly number[];
  /** Absolute, as the program sees it. Whether it exists there shows when it is started. */
  readonly cwd: (view: LaunchView) => string;
  /** Absolute path and arguments. Runs below the first process, once that has looked at the mounts. */
  readonly program: (view: LaunchView) => readonly [string, ...string[]];
  readonly handleCount?: number;
  /** `owner`: the user on the machine that the program will be, who must be able to open its own streams again. */
  readonly streams: (owner: { readonly uid: number; readonly gid: number }) => Promise<ProgramStreams>;
  /** The same command with something before it that runs outside the sandbox, for example to give it a terminal. */
  readonly wrap?: (command: readonly [string, ...string[]]) => readonly [string, ...string[]];
  /** It went beyond a limit that only its end can keep, as the sentence says. Omitted: all of it is ended. */
  readonly onExceeded?: (note: string) => void;
};

export type StartedProgram = {
  readonly launch: Launch;
  readonly view: LaunchView;
  readonly cwd: string;
  /** Of the sandbox; its code is the program's own. */
  readonly program: Program;
  /** The first process inside, as seen from out here; undefined until the sandbox has said it, or where there is none. */
  initPid(): number | undefined;
  readonly target: KillTarget;
  /** Where nothing holds its processes together. */
  readonly hunt: Hunt | undefined;
  /** What the first process and the sandbox have said so far, for `readFirstReport`. */
  report(): string;
  readonly limits: LimitGroup;
  /** Once, after `program.exited`: gives back what it held. Resolves with sentences about what was left. Ask `limits` for theirs before. */
  release(): Promise<readonly string[]>;
};

/** 3 is the first process's report. */
export const firstProgramHandle = 4;

/** Rejects with ToolFailure: unavailable, denied, not_found. */
export async function startProgram(start: ProgramStart): Promise<StartedProgram> {
  const { pool } = start;
  // Meanwhile: a program of the machine makes them.
  pool.prepare();
  const { launch, view, cwd, limits, wayOut } = await prepareProgram(start, firstProgramHandle);
  const pipes = await takeOwnPipes(pool, launch);
  const plan = launch.tree.kind === 'loose' ? planHunt(launch.tree.mark, limits.hold) : undefined;
  let hunt: Hunt | undefined;
  let stopWatching: (() => void) | undefined;
  let serving: Promise<{ stop(): void }> | undefined;
  const said = { isOver: false, text: '' };
  const giveBack = async (): Promise<readonly string[]> => {
    said.isOver = true;
    stopWatching?.();
    (await serving)?.stop();
    const notes = (await hunt?.finish(false)) ?? [];
    await plan?.remove();
    await limits.remove();
    pool.release([pipes.report, pipes.feed]);
    await launch.release();
    return notes;
  };
  try {
    const unmarked = (start.wrap ?? ((command) => command))([launch.file, ...launch.args]);
    const wrapped = plan?.enter(unmarked) ?? unmarked;
    const gate =
      launch.meetingPlace === undefined || wayOut === undefined ? undefined : openGate(launch.meetingPlace, launch);
    serving = gate?.then((listener) => serveBy(wayOut, listener));
    const spawned = await spawnIn(start, launch, limits.enter(wrapped), {
      ...pipes,
      wayOut: gate === undefined ? wayOut : undefined,
    });
    serving ??= spawned.listener?.then((listener) => serveBy(wayOut, listener));
    // Ours is open by now, and a command must not find it by /proc/1/fd.
    pipes.report.seal();
    // A look from outside may come late: the pipe is somebody else's by then, who would miss what we read.
    const report = (): string => (said.isOver ? said.text : (said.text = pipes.report.readSoFar()));
    const program =
      plan === undefined ? spawned : { ...spawned, exited: spawned.exited.then((end) => endAs(end, report())) };
    const initPid = (): number | undefined =>
      launch.tree.kind === 'namespace' ? launch.tree.initPid(report()) : undefined;
    hunt = plan?.begin(program.pid, []);
    const target = hunt?.target ?? programTarget(program, launch, initPid);
    stopWatching = limits.watch({
      pid: program.pid,
      paths: view.filledPaths,
      innerPaths: view.isOwnNamespace ? ['/tmp', '/dev/shm', '/run'] : [],
      inside: initPid,
      onExceeded: start.onExceeded ?? (() => target.destroy()),
    });
    return { launch, view, cwd, program, initPid, target, hunt, report, limits, release: giveBack };
  } catch (error) {
    await giveBack();
    throw error;
  }
}

const serveBy = (wayOut: WayOut | undefined, listener: Server | undefined): { stop(): void } =>
  wayOut?.serve(listener) ?? { stop: () => undefined };

/** The launcher is ended with everything else; the program's own end was told before. */
function endAs(end: Awaited<Program['exited']>, report: string): Awaited<Program['exited']> {
  const { code } = readFirstReport(report);
  return code === undefined ? end : { code, signal: null };
}

type OwnPipes = { readonly report: Pipe; readonly feed: Pipe };

async function takeOwnPipes(pool: PipePool, owner: { uid: number; gid: number }): Promise<OwnPipes> {
  const [report, feed] = await pool.take(2, owner);
  if (report === undefined || feed === undefined) throw new Error('the pool gave fewer pipes than asked for');
  return { report, feed };
}

async function spawnIn(
  start: ProgramStart,
  launch: Launch,
  [file, ...args]: readonly [string, ...string[]],
  pipes: OwnPipes & { readonly wayOut: WayOut | undefined },
): Promise<Program> {
  const streams = await start.streams({ uid: launch.uid, gid: launch.gid });
  const handles = [...(streams.handles ?? [])];
  while (handles.length < (start.handleCount ?? 0)) handles.push('none');
  return spawnProgram({
    file,
    args,
    environment: launch.launcherEnvironment,
    cwd: '/',
    streams: [streams.stdin ?? 'none', streams.stdout, streams.stderr],
    shadowed: start.shadowed,
    handles: [
      { opened: pipes.report.openWriter() },
      ...handles,
      ...(pipes.wayOut === undefined ? [] : [{ opened: pipes.wayOut.openNode() }, 'listener' as const]),
      ...launch.handles.map((handle) => openHandle(handle, pipes)),
    ],
    // Also when we stay root: this gives up root's groups.
    ...(process.geteuid?.() === 0 ? { ids: { uid: 0, gid: 0 } } : {}),
  });
}

/** The sandbox's own status goes where the first process's report goes: their lines cannot be taken for each other. */
function openHandle(handle: Handle, pipes: OwnPipes): ProgramHandle {
  switch (handle.kind) {
    case 'bytes':
      return handle.bytes.length <= maxFeedBytes ? openFeed(pipes, handle.bytes) : handle.bytes;
    case 'file':
      return { opened: openSync(handle.path, 'r') };
    case 'status':
      return { opened: pipes.report.openWriter() };
  }
}

function openFeed(pipes: OwnPipes, bytes: Buffer): ProgramHandle {
  const { reader, send } = pipes.feed.feed(bytes);
  return { opened: reader, send };
}

function programTarget(program: Program, launch: Launch, initPid: () => number | undefined): KillTarget {
  const { tree } = launch;
  if (tree.kind === 'service') {
    const send = (signal: NodeJS.Signals) => (): void => runQuietly(launch, tree.signalCommand(signal));
    return { interrupt: send('SIGINT'), terminate: send('SIGTERM'), kill: send('SIGKILL'), destroy: send('SIGKILL') };
  }
  const destroy = (): void => {
    if (tree.kind === 'namespace' && tree.killCommand !== undefined) runQuietly(launch, tree.killCommand);
    const pid = initPid();
    if (pid !== undefined) sendSignal(pid, 'SIGKILL');
    sendSignal(program.pid, 'SIGKILL');
  };
  return {
    // The program is in the group of the sandbox's first process, which catches the signal. Never the launcher's own group.
    interrupt() {
      const pid = initPid();
      if (pid !== undefined) sendSignal(-pid, 'SIGINT');
    },
    terminate() {
      const pid = initPid();
      if (pid === undefined) return;
      for (const entry of descendantsOf(pid, listProcesses())) sendSignal(entry.pid, 'SIGTERM');
    },
    // The kernel ends every process of a namespace whose first one is killed, however they hide.
    kill() {
      const pid = initPid();
      if (pid === undefined) destroy();
      else sendSignal(pid, 'SIGKILL');
    },
    destroy,
  };
}

/** Whether it did anything shows by the program's end. */
function runQuietly(launch: Launch, [file, ...args]: readonly [string, ...string[]]): void {
  execFile(file, args, { env: launch.launcherEnvironment, cwd: '/' }, () => undefined);
}

/** Why the program was not run; undefined when it was. `stderr`: what came instead of its own. */
export async function findStartFailure(
  started: Pick<StartedProgram, 'report' | 'cwd'>,
  sandbox: Sandbox,
  stderr: () => Promise<string>,
): Promise<ToolFailure | undefined> {
  switch (readFirstReport(started.report()).outcome) {
    case 'started':
      return undefined;
    case 'folder':
      return missingFolder(started.cwd);
    case 'swapped':
      return new ToolFailure(
        'denied',
        'A folder was exchanged while the sandbox was made, so the command was not run. Try again.',
      );
    case 'visible':
      return new ToolFailure(
        'denied',
        'A private folder in the workspace could not be hidden, so the command was not run. Try again.',
      );
    case 'silent':
      return neverStarted(sandbox, await stderr());
  }
}

export function missingFolder(cwd: string): ToolFailure {
  return new ToolFailure(
    'not_found',
    `The working directory ${cwd} does not exist in the sandbox, which sees the workspace, its own home (~), /tmp and the system's /usr. Name a folder in the workspace, or leave working_dir out.`,
  );
}

async function neverStarted(sandbox: Sandbox, stderr: string): Promise<ToolFailure> {
  const report = await sandbox.report();
  if (report.rung === undefined) return new ToolFailure('unavailable', missingRungMessage(report));
  const said = stderr.trim().split('\n').at(-1) ?? '';
  const message = `The sandbox could not be started, so the command was not run${said === '' ? '' : `: ${said}`}. Run \`handrail doctor\` to see more.`;
  return new ToolFailure('unavailable', message);
}
