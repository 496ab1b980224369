/** Starts one command without a sandbox. Only when the settings say so; what it leaves behind is hunted as far as it goes. */
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { ToolFailure } from '../../contract/failure.ts';
import { hostEnvironment } from '../sandbox/sandbox-environment.ts';
import { resolveWorkingDir } from './check-request.ts';
import type { ControlGroup } from '../limits/control-group.ts';
import type { LimitGroup } from '../limits/limit-group.ts';
import type { Sandbox } from '../sandbox/create-sandbox.ts';
import { findBash } from './find-bash.ts';
import { type Hunt, planHunt } from './hunt.ts';
import type { Circumstances, CommandEnd, CommandRequest, RunningCommand, TakePipes } from './running-command.ts';
import { type Program, spawnProgram } from './spawn-program.ts';

export type HostOptions = {
  readonly environment: NodeJS.ProcessEnv;
  readonly sandbox: Pick<Sandbox, 'limits'>;
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
  const limits = options.sandbox.limits.group({ isOnHost: true });
  const plan = planHunt(
    `${markName}=${id}`,
    options.createGroup === undefined ? limits.hold : undefined,
    options.createGroup,
  );
  try {
    const pipes = await takePipes({ uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 });
    const isLong = Buffer.byteLength(request.command) > maxArgumentBytes;
    const shell = findBash();
    const bash = isLong ? ['-c', 'eval "$(/bin/cat <&3)" 3<&-', 'bash'] : ['-c', '--', request.command, 'bash'];
    const [file, ...args] = limits.enter(plan.enter(setLimits(limits, [shell, ...bash])));
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
    const stopWatching = limits.watch({
      pid: program.pid,
      paths: [request.workspace, own['HOME'] ?? '/', '/tmp'],
      innerPaths: [],
      onExceeded: () => hunt.target.kill(),
    });
    return {
      cwd,
      gone: program.exited,
      target: hunt.target,
      hasBegun: () => true,
      finish: (circumstances) =>
        finishCommand({ program, hunt, limits }, circumstances).finally(async () => {
          stopWatching();
          await limits.remove();
        }),
    };
  } catch (error) {
    await plan.remove();
    await limits.remove();
    throw error;
  }
}

type Started = { readonly program: Program; readonly hunt: Hunt; readonly limits: LimitGroup };

async function finishCommand({ program, hunt, limits }: Started, circumstances: Circumstances): Promise<CommandEnd> {
  const { wasEnded } = circumstances;
  const { code, signal } = await program.exited;
  const left = await hunt.finish(wasEnded);
  const exitCode = code ?? 128 + signalNumber(signal);
  const hit = limits.notes({ stderr: await circumstances.stderr(), exitCode });
  return { exitCode: wasEnded ? null : exitCode, signal: wasEnded ? signal : null, notes: [...left, ...hit] };
}

/** In the process that becomes the command. */
export function setLimits({ rlimits }: LimitGroup, command: readonly string[]): readonly string[] {
  return ['/bin/sh', '-c', `{ ${rlimits}; } 2>/dev/null; exec "$@"`, 'sh', ...command];
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
