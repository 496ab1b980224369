/** Starts the bash of a conversation, in the sandbox or on the host rung, with the pipes by which we talk to it. */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import type { Rung } from '../../../contract/services.ts';
import type { LimitGroup } from '../../limits/limit-group.ts';
import { hostEnvironment } from '../../sandbox/sandbox-environment.ts';
import type { Sandbox } from '../../sandbox/create-sandbox.ts';
import type { KillTarget } from '../end-tree.ts';
import { findBash } from '../find-bash.ts';
import { describeLeft, readFirstReport } from '../first-process.ts';
import { planHunt } from '../hunt.ts';
import type { Pipe, PipePool } from '../pipe-pool.ts';
import { readPipe } from '../read-pipe.ts';
import { spawnProgram } from '../spawn-program.ts';
import { setLimits } from '../start-on-host.ts';
import { findStartFailure, firstProgramHandle, startProgram } from '../start-program.ts';
import { createShellFolder, type ShellFolder } from './shell-folder.ts';
import { processesBelow, processesFound, processesMarked, type ShellProcesses } from './shell-processes.ts';

export type BashStart = {
  readonly sandbox: Sandbox;
  readonly pool: PipePool;
  readonly rung: Rung;
  readonly conversationId: string;
  readonly workspace: string;
  /** Ours; only the host rung takes from it. */
  readonly environment: NodeJS.ProcessEnv;
  readonly shadowed: readonly number[];
  /** For the pipes of the host rung, which has no private place of the sandbox's. */
  readonly ioParent: string | undefined;
  readonly maxPairs: number;
  /** Tests take the guard away: commands could put pipes of their own in the place of ours. */
  readonly isFolderWritable?: boolean;
  readonly onStatus: (bytes: Buffer) => void;
  readonly onSide: (bytes: Buffer) => void;
};

export type Bash = {
  readonly folder: ShellFolder;
  /** The folder as the shell sees it. */
  readonly io: string;
  /** The descriptor that the status pipe comes by. */
  readonly handle: number;
  /** The home as commands see it. */
  readonly home: string;
  send(text: string): void;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Once it has begun to answer. `shellPid`: as the shell sees itself. */
  processes(shellPid: number, shellMark: number): ShellProcesses;
  /** The shell, or a command that is about to start, carries this mark. */
  addMark(mark: number): void;
  readonly target: KillTarget;
  readonly limits: LimitGroup;
  /** Why nothing was heard from it, once it has exited. */
  startFailure(): Promise<Error | undefined>;
  /** Once, after `exited`. Resolves with sentences about what was left. */
  release(): Promise<readonly string[]>;
};

type Talk = {
  readonly control: Pipe;
  readonly status: Pipe;
  readonly noise: Pipe;
  /** Ours are open by now, and a command must not find them by /proc. */
  begin(): void;
  send(text: string): void;
  close(): void;
};

const insideFolder = '/run/handrail/io';
/** Nothing of a poisoned home: no startup file, no history. */
const bashOptions = ['--noprofile', '--norc', '--noediting', '-i'];
const quietEnvironment = { HISTFILE: '/dev/null' };

/** Rejects with ToolFailure: unavailable, denied, not_found. Undefined: this sandbox has no bash inside. */
export function startBash(start: BashStart): Promise<Bash | undefined> {
  return start.rung === 'host' ? startOnHost(start) : startInside(start);
}

async function startInside(start: BashStart): Promise<Bash | undefined> {
  const { sandbox, pool } = start;
  let folder: ShellFolder | undefined;
  let talk: Talk | undefined;
  let hasBash = true;
  const close = (): void => {
    talk?.close();
    folder?.close();
  };
  try {
    const started = await startProgram({
      sandbox,
      pool,
      workspace: start.workspace,
      conversationId: start.conversationId,
      temporaryOf: start.conversationId,
      environment: quietEnvironment,
      shadowed: start.shadowed,
      cwd: () => start.workspace,
      program(view) {
        hasBash = view.shell.endsWith('/bash');
        return [view.shell, ...bashOptions];
      },
      binds(place) {
        folder = createShellFolder(place.folder, start.maxPairs);
        return [{ source: folder.path, path: insideFolder, isWritable: start.isFolderWritable === true }];
      },
      handleCount: 1,
      async streams(owner) {
        if (!hasBash) throw new NoBash();
        await folder?.prepare(owner, start.onSide, start.isFolderWritable === true);
        talk = await openTalk(pool, owner, start.onStatus);
        return {
          stdin: { opened: talk.control.openInput() },
          stdout: 'none',
          stderr: { opened: talk.noise.openWriter() },
          handles: [{ opened: talk.status.openWriter() }],
        };
      },
    });
    if (folder === undefined || talk === undefined) throw new Error('the sandbox did not ask for its pipes');
    const { noise } = talk;
    talk.begin();
    const { hunt } = started;
    const marks = new Set<number>();
    return {
      folder,
      io: insideFolder,
      handle: firstProgramHandle,
      home: started.view.home,
      send: talk.send,
      exited: started.program.exited,
      processes(shellPid, shellMark) {
        const pid = started.initPid();
        if (hunt !== undefined) return processesFound(shellPid, shellMark, hunt.pids);
        if (pid !== undefined) return processesBelow(pid, shellPid, shellMark);
        return processesMarked(shellPid, shellMark, marks);
      },
      addMark(mark) {
        marks.add(mark);
        hunt?.addMark(mark);
      },
      target: started.target,
      limits: started.limits,
      startFailure: () => findStartFailure(started, sandbox, () => Promise.resolve(noise.readSoFar())),
      async release() {
        const { left, leftCount } = readFirstReport(started.report());
        const note = describeLeft(left, leftCount);
        const notes = await started.release();
        close();
        return [...(note === undefined ? [] : [note]), ...notes];
      },
    };
  } catch (error) {
    close();
    if (error instanceof NoBash) return undefined;
    throw error;
  }
}

/** A userland with nothing but a small sh: its commands run one by one. */
class NoBash extends Error {}

async function startOnHost(start: BashStart): Promise<Bash> {
  const own = hostEnvironment(start.environment);
  const owner = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
  const limits = start.sandbox.limits.group({ isOnHost: true });
  const id = `HANDRAIL_COMMAND=${randomUUID()}`;
  const plan = planHunt(id, limits.hold);
  const parent = start.ioParent ?? tmpdir();
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = createShellFolder(parent, start.maxPairs);
  let talk: Talk | undefined;
  const release = async (): Promise<void> => {
    talk?.close();
    folder.close();
    await limits.remove();
  };
  try {
    await folder.prepare(owner, start.onSide, false);
    talk = await openTalk(start.pool, owner, start.onStatus);
    const [file, ...args] = limits.enter(plan.enter(setLimits(limits, [findBash(), ...bashOptions])));
    const [name = '', value = ''] = id.split('=');
    const program = await spawnProgram({
      file,
      args,
      environment: { ...own, ...quietEnvironment, [name]: value },
      cwd: start.workspace,
      streams: [{ opened: talk.control.openInput() }, 'none', { opened: talk.noise.openWriter() }],
      shadowed: start.shadowed,
      handles: [{ opened: talk.status.openWriter() }],
    });
    talk.begin();
    const hunt = plan.begin(program.pid, []);
    const stopWatching = limits.watch({
      pid: program.pid,
      paths: [start.workspace, own['HOME'] ?? '/', '/tmp'],
      innerPaths: [],
      onExceeded: () => hunt.target.kill(),
    });
    return {
      folder,
      io: folder.path,
      handle: 3,
      home: own['HOME'] ?? '/',
      send: talk.send,
      exited: program.exited,
      processes: (shellPid, shellMark) => processesFound(shellPid, shellMark, hunt.pids),
      addMark: hunt.addMark,
      target: hunt.target,
      limits,
      startFailure: () => Promise.resolve(undefined),
      async release() {
        stopWatching();
        const notes = await hunt.finish(false);
        await release();
        return notes;
      },
    };
  } catch (error) {
    await plan.remove();
    await release();
    throw error;
  }
}

async function openTalk(
  pool: PipePool,
  owner: { readonly uid: number; readonly gid: number },
  onStatus: (bytes: Buffer) => void,
): Promise<Talk> {
  const pipes = await pool.take(3, owner);
  const [control, status, noise] = pipes;
  if (control === undefined || status === undefined || noise === undefined) {
    throw new Error('the pool gave fewer pipes than asked for');
  }
  const writer = new Socket({ fd: control.openWriter(), readable: false, writable: true });
  // A shell that has ended cannot be told anything; its end is seen by itself.
  writer.on('error', () => undefined);
  let reader: ReturnType<typeof readPipe> | undefined;
  return {
    control,
    status,
    noise,
    begin() {
      reader = readPipe(status.openReader(), onStatus);
      for (const pipe of pipes) pipe.seal();
    },
    send: (text) => void writer.write(text, 'utf8'),
    close() {
      writer.destroy();
      reader?.stop();
      pool.release(pipes);
    },
  };
}
