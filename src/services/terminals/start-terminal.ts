/** Starts the program of a terminal: in a sandbox of its own as every command, or on the machine where the user chose that. */
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { ToolFailure } from '../../contract/failure.ts';
import type { Sandbox } from '../sandbox/create-sandbox.ts';
import type { HostAsker } from '../net/host-questions.ts';
import { hostEnvironment } from '../sandbox/sandbox-environment.ts';
import { resolveWorkingDir } from '../shell/check-request.ts';
import { within } from '../shell/end-tree.ts';
import { readFirstReport } from '../shell/first-process.ts';
import { planHunt } from '../shell/hunt.ts';
import { findInheritedHandles } from '../shell/inherited-handles.ts';
import type { PipePool } from '../shell/pipe-pool.ts';
import { descendantsOf, listProcesses, sendSignal } from '../shell/process-tree.ts';
import { type Program, spawnProgram } from '../shell/spawn-program.ts';
import { setLimits } from '../shell/start-on-host.ts';
import { findStartFailure, startProgram } from '../shell/start-program.ts';
import type { PseudoTerminal } from './pseudo-terminal.ts';
import { watchTerminal } from './terminal-network.ts';
import { takeTerminal, terminalEnvironment, terminalProgram } from './terminal-program.ts';

export type TerminalStart = {
  readonly pseudo: PseudoTerminal;
  /** Undefined: an interactive bash. */
  readonly command: string | undefined;
  /** Absolute real path. */
  readonly workspace: string;
  readonly workingDir: string | undefined;
  /** Whose /tmp it has. Omitted: nobody's. */
  readonly conversationId?: string;
  /** Whose network it has. Omitted: the program's own. */
  readonly networkOf?: string;
  /** Who can be asked about new hosts until somebody attends. Omitted: nobody. */
  readonly opener?: HostAsker;
};

export type StartedTerminal = {
  /** As the program sees it. */
  readonly cwd: string;
  /** The first process of the terminal's session, as seen from out here. */
  readonly session: number;
  /** Resolves with the program's code when nothing of it is left. 128 + n when signal n ended it. */
  readonly exited: Promise<number | null>;
  /** Resolves when its program runs. Rejects with ToolFailure when it does not. `printed`: what came in place of it. */
  untilRunning(printed: () => string): Promise<void>;
  /** Plain sentences since it was asked last: limits that were hit, hosts that were refused. */
  takeNotes(): Promise<readonly string[]>;
  /** New hosts that its program wants to reach are asked about from now on, until what is given back is called. */
  attend(asker: HostAsker): () => void;
  /** Something of it waits to be let through to a host. */
  isConnecting(): boolean;
  /** As closing a window does: it is told to hang up, and then ended with everything it has started. Resolves once it is gone. */
  end(): Promise<void>;
};

const pollMs = 10;
const hangUpMs = 200;
const killMs = 500;

type Sandboxed = { readonly sandbox: Sandbox; readonly pool: PipePool };

export async function startInSandbox({ sandbox, pool }: Sandboxed, start: TerminalStart): Promise<StartedTerminal> {
  const { pseudo } = start;
  const network = watchTerminal(sandbox.network, start.networkOf ?? 'program', start.opener);
  const started = await startTerminalProgram({ sandbox, pool }, start).catch((error: unknown) => {
    network.end();
    throw error;
  });
  pseudo.leaveToProgram();
  let text = '';
  const notes: string[] = [];
  let isGone = false;
  const exited = started.program.exited.then(async (end) => {
    isGone = true;
    text = started.report();
    notes.push(...started.limits.notes({ stderr: '', exitCode: end.code }));
    await started.release();
    network.end();
    return codeOf(end);
  });
  const report = (): string => text || started.report();
  return {
    cwd: started.cwd,
    session: started.program.pid,
    exited,
    takeNotes: () => Promise.resolve([...notes.splice(0), ...network.takeNotes()]),
    attend: network.attend,
    isConnecting: network.isConnecting,
    async untilRunning(printed) {
      while (readFirstReport(report()).outcome === 'silent') if (await within(exited, pollMs)) break;
      if (readFirstReport(report()).outcome === 'started') return;
      await exited;
      const failure = await findStartFailure({ report, cwd: started.cwd }, sandbox, () => Promise.resolve(printed()));
      if (failure !== undefined) throw failure;
    },
    async end() {
      const first = started.initPid() ?? started.program.pid;
      for (const { pid } of descendantsOf(first, listProcesses())) hangUp(pid);
      if (await within(exited, hangUpMs)) return;
      // What is left behind one that has ended is looked after already.
      if (!isGone) started.target.kill();
      if (!(await within(exited, killMs)) && !isGone) started.target.destroy();
      await exited;
    },
  };
}

function startTerminalProgram({ sandbox, pool }: Sandboxed, start: TerminalStart): ReturnType<typeof startProgram> {
  const { pseudo, workspace, conversationId, networkOf = 'program' } = start;
  return startProgram({
    ...{ sandbox, pool, workspace },
    conversationId: networkOf,
    ...(conversationId === undefined ? {} : { temporaryOf: conversationId }),
    environment: terminalEnvironment,
    // Ours are open without close-on-exec: the terminals themselves, since who opens them does not set it.
    shadowed: findInheritedHandles(),
    // Only because the terminal is this sandbox's own: there is nobody else's to type into (CVE-2017-5226).
    keepsTerminal: true,
    cwd: (view) => resolveWorkingDir(start.workingDir, { workspace, home: view.home }),
    program: (view) => terminalProgram(start.command, view.shell),
    wrap: (command) => takeTerminal(pseudo.path, command),
    streams: (owner) => Promise.resolve(openStreams(pseudo, owner)),
  });
}

const markName = 'HANDRAIL_COMMAND';

export async function startOnHost(
  options: { readonly environment: NodeJS.ProcessEnv; readonly sandbox: Pick<Sandbox, 'limits'> },
  start: TerminalStart,
): Promise<StartedTerminal> {
  const { pseudo, workspace } = start;
  const own = hostEnvironment(options.environment);
  const home = own['HOME'] ?? '/';
  const cwd = resolveWorkingDir(start.workingDir, { workspace, home });
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new ToolFailure('not_found', `The working directory ${cwd} does not exist. Name an existing folder.`);
  }
  const id = randomUUID();
  const limits = options.sandbox.limits.group({ isOnHost: true });
  const plan = planHunt(`${markName}=${id}`, limits.hold);
  const giveBack = async (): Promise<void> => {
    await plan.remove();
    await limits.remove();
  };
  try {
    const program = await spawnOnHost(
      { pseudo, cwd, environment: { ...own, ...terminalEnvironment, [markName]: id } },
      (command) => limits.enter(plan.enter(setLimits(limits, command))),
      start.command,
    );
    const hunt = plan.begin(program.pid, []);
    const stopWatching = limits.watch({
      ...{ pid: program.pid, paths: [workspace, home, '/tmp'], innerPaths: [] },
      onExceeded: () => hunt.target.kill(),
    });
    const notes: string[] = [];
    let isGone = false;
    const exited = program.exited.then(async (end) => {
      isGone = true;
      stopWatching();
      await hunt.finish(true);
      notes.push(...limits.notes({ stderr: '', exitCode: end.code }));
      await giveBack();
      return codeOf(end);
    });
    return {
      ...{ cwd, session: program.pid, exited, takeNotes: () => Promise.resolve(notes.splice(0)) },
      // The machine's own network asks nobody.
      attend: () => () => undefined,
      isConnecting: () => false,
      untilRunning: () => Promise.resolve(),
      async end() {
        hangUp(program.pid);
        for (const { pid } of descendantsOf(program.pid, listProcesses())) hangUp(pid);
        if (await within(exited, hangUpMs)) return;
        // What is left behind one that has ended is hunted already.
        if (!isGone) hunt.target.kill();
        await exited;
      },
    };
  } catch (error) {
    await giveBack();
    throw error;
  }
}

async function spawnOnHost(
  place: {
    readonly pseudo: PseudoTerminal;
    readonly cwd: string;
    readonly environment: Readonly<Record<string, string>>;
  },
  enter: (command: readonly [string, ...string[]]) => readonly [string, ...string[]],
  command: string | undefined,
): Promise<Program> {
  const { pseudo, cwd, environment } = place;
  const [file, ...args] = enter(takeTerminal(pseudo.path, terminalProgram(command)));
  const { stdin, stdout, stderr } = openStreams(pseudo, {
    uid: process.geteuid?.() ?? 0,
    gid: process.getegid?.() ?? 0,
  });
  const streams = [stdin, stdout, stderr] as const;
  const program = await spawnProgram({
    ...{ file, args, cwd, environment, streams, handles: [], shadowed: findInheritedHandles() },
  });
  pseudo.leaveToProgram();
  return program;
}

function codeOf({ code, signal }: Awaited<Program['exited']>): number | null {
  return code ?? (signal === null ? null : 128 + constants.signals[signal]);
}

function openStreams(pseudo: PseudoTerminal, owner: { readonly uid: number; readonly gid: number }) {
  pseudo.giveTo(owner);
  // Until its program has opened it by name, somebody must hold it.
  const open = (): { readonly opened: number } => ({ opened: pseudo.openForProgram() });
  return { stdin: open(), stdout: open(), stderr: open() };
}

/** One that is stopped sees the signal only when it goes on. */
function hangUp(pid: number): void {
  sendSignal(pid, 'SIGHUP');
  sendSignal(pid, 'SIGCONT');
}
