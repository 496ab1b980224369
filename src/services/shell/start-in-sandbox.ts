/** Starts one command in a sandbox of its own, and reads from the sandbox's first process how it went. */
import { openSync } from 'node:fs';
import { ToolFailure } from '../../contract/failure.ts';
import { missingRungMessage } from '../sandbox/detect-rungs.ts';
import type { Sandbox } from '../sandbox/create-sandbox.ts';
import type { Handle, LaunchView } from '../sandbox/sandbox-launch.ts';
import { resolveWorkingDir } from './check-request.ts';
import type { KillTarget } from './end-tree.ts';
import { findBash } from './find-bash.ts';
import { describeLeft, initScript, readInitReport } from './init-script.ts';
import { createProcessLimit, hasLimitPerNamespace, isProcessLimitMessage, maxProcesses } from './process-limit.ts';
import { descendantsOf, listProcesses, sendSignal } from './process-tree.ts';
import { maxFeedBytes, type Pipe } from './pipe-pool.ts';
import type {
  Circumstances,
  CommandEnd,
  CommandPipes,
  CommandRequest,
  RunningCommand,
  TakePipes,
} from './running-command.ts';
import { type Program, type ProgramHandle, spawnProgram } from './spawn-program.ts';

/** execve(2) takes 128 KiB in one argument; a longer command comes by a descriptor. */
const maxArgumentBytes = 96 * 1024;
/** Behind the two handles of the first process: the report, and a long command. */
const firstSandboxHandle = 5;

export async function startInSandbox(
  sandbox: Sandbox,
  request: CommandRequest,
  takePipes: TakePipes,
): Promise<RunningCommand> {
  const isLong = Buffer.byteLength(request.command) > maxArgumentBytes;
  // PATH is for the command alone: the first process needs the system's programs.
  const { PATH: wantedPath, ...environment } = request.environment;
  let cwd = request.workspace;
  const launch = await sandbox.prepare({
    workspace: request.workspace,
    environment,
    firstHandle: firstSandboxHandle,
    program: (view) => {
      cwd = resolveWorkingDir(request.workingDir, { workspace: request.workspace, home: view.home });
      return initProgram({
        cwd,
        command: isLong ? '' : request.command,
        path: wantedPath ?? view.path,
        checks: view.checks,
        maxProcesses: hasLimitPerNamespace() ? `${maxProcesses}` : '',
      });
    },
  });
  const pipes = await takePipes(launch);
  const limit = launch.isRoot ? createProcessLimit() : undefined;
  const command = [launch.file, ...launch.args] as const;
  const [file, ...args] = limit === undefined ? command : limit.enter(command);
  const program = await spawnProgram({
    file,
    args,
    environment: launch.launcherEnvironment,
    cwd: '/',
    stdout: pipes.stdout,
    stderr: pipes.stderr,
    shadowed: request.shadowed,
    handles: [
      { opened: pipes.report.openWriter() },
      isLong ? Buffer.from(request.command) : 'none',
      ...launch.handles.map((handle) => openHandle(handle, pipes)),
    ],
    // Also when we stay root: this gives up root's groups.
    ...(process.geteuid?.() === 0 ? { ids: { uid: 0, gid: 0 } } : {}),
  }).catch(async (error: unknown) => {
    await limit?.remove();
    throw error;
  });
  // Ours is open by now, and a command must not find it by /proc/1/fd.
  pipes.report.seal();
  return {
    cwd,
    gone: program.exited,
    target: sandboxTarget(program, pipes.report),
    async finish(circumstances) {
      await limit?.remove();
      return finishCommand({ program, report: pipes.report, sandbox, cwd }, circumstances);
    },
  };
}

/** The sandbox's own status goes where the first process's report goes: their lines cannot be taken for each other. */
function openHandle(handle: Handle, pipes: CommandPipes): ProgramHandle {
  switch (handle.kind) {
    case 'bytes':
      return handle.bytes.length <= maxFeedBytes ? openFeed(pipes, handle.bytes) : handle.bytes;
    case 'file':
      return { opened: openSync(handle.path, 'r') };
    case 'status':
      return { opened: pipes.report.openWriter() };
  }
}

function openFeed(pipes: CommandPipes, bytes: Buffer): ProgramHandle {
  const { reader, send } = pipes.feed.feed(bytes);
  return { opened: reader, send };
}

function initProgram(options: {
  readonly cwd: string;
  readonly command: string;
  readonly path: string;
  readonly checks: LaunchView['checks'];
  readonly maxProcesses: string;
}): string[] {
  const { paths, expected, forbidden } = options.checks;
  return [
    ...['/bin/sh', '-c', initScript, 'sh', options.cwd, expected.join('\n'), forbidden.join(' ')],
    ...[options.command, options.path, findBash(), options.maxProcesses, ...paths],
  ];
}

function sandboxTarget(program: Program, report: Pipe): KillTarget {
  // bwrap(1), --json-status-fd. As seen from out here.
  const initPid = (): number | undefined => {
    const pid = Number(/"child-pid"\s*:\s*(\d+)/.exec(report.readSoFar())?.[1]);
    return pid > 1 ? pid : undefined;
  };
  const destroy = (): void => {
    const pid = initPid();
    if (pid !== undefined) sendSignal(pid, 'SIGKILL');
    sendSignal(program.pid, 'SIGKILL');
  };
  return {
    // The command is in the group of the sandbox's first process, which catches the signal. Never bubblewrap's own group.
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

async function finishCommand(
  started: { readonly program: Program; readonly report: Pipe; readonly sandbox: Sandbox; readonly cwd: string },
  circumstances: Circumstances,
): Promise<CommandEnd> {
  const { program, sandbox, cwd } = started;
  const { code, signal } = await program.exited;
  const report = readInitReport(started.report.readSoFar());
  if (circumstances.wasEnded) return { exitCode: null, signal, notes: [] };
  switch (report.outcome) {
    case 'started': {
      const note = describeLeft(report.left, report.leftCount);
      const wasFull = isProcessLimitMessage(await circumstances.stderr());
      const full = wasFull
        ? [`The sandbox allows ${maxProcesses} processes and threads at once, and the command asked for more.`]
        : [];
      const ended = signal === null ? [] : ['The sandbox was ended from outside while the command ran.'];
      return { exitCode: code, signal, notes: [...(note === undefined ? [] : [note]), ...full, ...ended] };
    }
    case 'folder':
      throw new ToolFailure(
        'not_found',
        `The working directory ${cwd} does not exist in the sandbox, which sees the workspace, its own home (~), /tmp and the system's /usr. Name a folder in the workspace, or leave working_dir out.`,
      );
    case 'swapped':
      throw new ToolFailure(
        'denied',
        'A folder was exchanged while the sandbox was made, so the command was not run. Try again.',
      );
    case 'visible':
      throw new ToolFailure(
        'denied',
        'A private folder in the workspace could not be hidden, so the command was not run. Try again.',
      );
    case 'silent':
      throw await neverStarted(sandbox, await circumstances.stderr());
  }
}

async function neverStarted(sandbox: Sandbox, stderr: string): Promise<ToolFailure> {
  const report = await sandbox.report();
  if (report.rung === undefined) return new ToolFailure('unavailable', missingRungMessage(report));
  const said = stderr.trim().split('\n').at(-1) ?? '';
  const message = `The sandbox could not be started, so the command was not run${said === '' ? '' : `: ${said}`}. Run \`handrail doctor\` to see more.`;
  return new ToolFailure('unavailable', message);
}
