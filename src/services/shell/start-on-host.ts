/** Starts one command without a sandbox. Only when the settings say so; what it leaves behind is hunted as far as it goes. */
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { ToolFailure } from '../../contract/failure.ts';
import { hostEnvironment } from '../sandbox/sandbox-environment.ts';
import { resolveWorkingDir } from './check-request.ts';
import type { ControlGroup } from '../limits/control-group.ts';
import { findBash } from './find-bash.ts';
import { type Hunt, planHunt } from './hunt.ts';
import type { Circumstances, CommandEnd, CommandRequest, RunningCommand, TakePipes } from './running-command.ts';
import { type Program, spawnProgram } from './spawn-program.ts';

export type HostOptions = {
  readonly environment: NodeJS.ProcessEnv;
  /** Tests take the control group away here. */
  readonly createGroup?: (name: string) => ControlGroup | undefined;
};

const markName = 'HANDRAIL_COMMAND';
const maxArgumentBytes = 96 * 1024;

export async function startOnHost(
  options: HostOptions,
  request: CommandRequest,
  takePipes: TakePipes,
): Promise<RunningCommand> {
  const own = hostEnvironment(options.environment);
  const cwd = resolveWorkingDir(request.workingDir, { workspace: request.workspace, home: own['HOME'] ?? '/' });
  checkFolder(cwd);
  const id = randomUUID();
  const plan = planHunt(`${markName}=${id}`, options.createGroup);
  try {
    const pipes = await takePipes({ uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 });
    const isLong = Buffer.byteLength(request.command) > maxArgumentBytes;
    const shell = findBash();
    const bash = isLong ? ['-c', 'eval "$(/bin/cat <&3)" 3<&-', 'bash'] : ['-c', '--', request.command, 'bash'];
    const [file, ...args] = plan.enter([shell, ...bash]);
    const program = await spawnProgram({
      file,
      args,
      environment: { ...own, ...request.environment, [markName]: id },
      cwd,
      streams: ['none', { opened: pipes.stdout.openWriter() }, { opened: pipes.stderr.openWriter() }],
      shadowed: request.shadowed,
      handles: isLong ? [Buffer.from(request.command)] : [],
    });
    const hunt = plan.begin(program.pid, [pipes.stdout, pipes.stderr]);
    return {
      cwd,
      gone: program.exited,
      target: hunt.target,
      hasBegun: () => true,
      finish: (circumstances) => finishCommand(program, hunt, circumstances),
    };
  } catch (error) {
    await plan.remove();
    throw error;
  }
}

async function finishCommand(program: Program, hunt: Hunt, { wasEnded }: Circumstances): Promise<CommandEnd> {
  const { code, signal } = await program.exited;
  const notes = await hunt.finish(wasEnded);
  return {
    exitCode: wasEnded ? null : (code ?? 128 + signalNumber(signal)),
    signal: wasEnded ? signal : null,
    notes,
  };
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal];
}

function checkFolder(cwd: string): void {
  const info = statSync(cwd, { throwIfNoEntry: false });
  if (info?.isDirectory() === true) return;
  throw new ToolFailure(
    'not_found',
    `The working directory ${cwd} does not exist. Name an existing folder, or leave working_dir out.`,
  );
}
