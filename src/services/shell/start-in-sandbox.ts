/** Starts one command in a sandbox of its own, and reads from the sandbox's first process how it went. */
import type { Sandbox } from '../sandbox/create-sandbox.ts';
import { resolveWorkingDir } from './check-request.ts';
import { describeLeft, readFirstReport } from './first-process.ts';
import type { PipePool } from './pipe-pool.ts';
import type { Circumstances, CommandEnd, CommandRequest, RunningCommand, TakePipes } from './running-command.ts';
import { findStartFailure, firstProgramHandle, type StartedProgram, startProgram } from './start-program.ts';

/** execve(2) takes 128 KiB in one argument; a longer command comes by a descriptor. */
const maxArgumentBytes = 96 * 1024;

export type SandboxStart = { readonly sandbox: Sandbox; readonly pool: PipePool };

export async function startInSandbox(
  { sandbox, pool }: SandboxStart,
  request: CommandRequest,
  takePipes: TakePipes,
): Promise<RunningCommand> {
  const isLong = request.input === undefined && Buffer.byteLength(request.command) > maxArgumentBytes;
  const input = isLong ? Buffer.from(request.command) : request.input;
  const started = await startProgram({
    sandbox,
    pool,
    workspace: request.workspace,
    ...(request.conversationId === undefined ? {} : { conversationId: request.conversationId }),
    ...(request.temporaryOf === undefined ? {} : { temporaryOf: request.temporaryOf }),
    environment: request.environment,
    shadowed: request.shadowed,
    cwd: (view) => resolveWorkingDir(request.workingDir, { workspace: request.workspace, home: view.home }),
    program: (view) => bashFor(view.shell, request.command, isLong),
    handleCount: input === undefined ? 0 : 1,
    ...(request.binds === undefined ? {} : { binds: request.binds }),
    async streams(owner) {
      const pipes = await takePipes(owner);
      return {
        stdout: { opened: pipes.stdout.openWriter() },
        stderr: { opened: pipes.stderr.openWriter() },
        ...(input === undefined ? {} : { handles: [input] }),
      };
    },
  });
  return {
    cwd: started.cwd,
    gone: started.program.exited,
    target: started.target,
    hasBegun: () => readFirstReport(started.report()).outcome === 'started',
    finish: (circumstances) => finishCommand(started, sandbox, circumstances),
  };
}

function bashFor(shell: string, command: string, isLong: boolean): [string, ...string[]] {
  if (!isLong) return [shell, '-c', '--', command, 'bash'];
  const handle = firstProgramHandle;
  return [shell, '-c', `eval "$(/bin/cat <&${handle})" ${handle}<&-`, 'bash'];
}

async function finishCommand(
  started: StartedProgram,
  sandbox: Sandbox,
  circumstances: Circumstances,
): Promise<CommandEnd> {
  const { code, signal } = await started.program.exited;
  const text = started.report();
  const hit = started.limits.notes({ stderr: await circumstances.stderr(), exitCode: code });
  const limitNotes = [...hit, ...(await started.release())];
  if (circumstances.wasEnded) return { exitCode: null, signal, notes: limitNotes };
  const failure = await findStartFailure({ ...started, report: () => text }, sandbox, circumstances.stderr);
  if (failure !== undefined) throw failure;
  const report = readFirstReport(text);
  const note = describeLeft(report.left, report.leftCount);
  const ended =
    signal === null || limitNotes.length > 0 ? [] : ['The sandbox was ended from outside while the command ran.'];
  return {
    exitCode: code,
    signal,
    notes: [...(note === undefined ? [] : [note]), ...limitNotes, ...ended],
  };
}
