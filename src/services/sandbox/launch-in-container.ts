/** Writes the command line that starts a program in a container of podman or docker: the same view, made by somebody else. */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';
import { buildContainerArgs, type ContainerPlan } from './container-args.ts';
import { type ContainerTool, launcherEnvironment } from './find-container.ts';
import type { RunAs } from './run-as.ts';
import { createRunFolder, insidePath } from './run-folder.ts';
import { seccompProfileText } from './seccomp-profile.ts';
import type { Launch, Tree } from './sandbox-launch.ts';
import { shownSystem } from './shown-system.ts';
import type { ContainerRoot } from './try-container.ts';
import { type PlanRequest, planView } from './view-plan.ts';

export type ReadyContainer = {
  readonly tool: ContainerTool;
  readonly hasGroups: boolean;
  /** Made for docker when missing; podman needs none. */
  image(root: ContainerRoot): Promise<string>;
};

const maxProcesses = 2048;

/**
 * docker's service starts the program, so that no descriptor of ours can reach it: pipes with names stand for them, in a
 * folder that both sides see, and a `cat` on this side for each. Which way it goes is asked of the
 * descriptor (proc(5)); a socket brings something.
 */
const relay = `
folder=$1 count=$2 owner=$3
shift 3
pipe() { mkfifo -m 600 "$1" && { [ -z "$owner" ] || chown "$owner" "$1"; }; }
number=3
while [ "$number" -lt $((3 + count)) ]; do
  case $(sed -n 's/^flags:[[:space:]]*//p' "/proc/$$/fdinfo/$number") in
  *[02]) pipe "$folder/$number.in"; cat <&"$number" >"$folder/$number.in" & feeds="$feeds $!" ;;
  *) pipe "$folder/$number.out"; cat <"$folder/$number.out" >&"$number" & ;;
  esac
  number=$((number + 1))
done
"$@"
code=$?
[ -z "$feeds" ] || kill $feeds 2>/dev/null
for pipe in "$folder"/*.out; do [ -p "$pipe" ] && : <>"$pipe"; done
wait
exit "$code"
`;

/** The other side, before the program starts. */
const openPipes = `
for handrail_pipe in /run/handrail/*.out; do [ -p "$handrail_pipe" ] && handrail_number=\${handrail_pipe##*/} && eval "exec \${handrail_number%.out}>\\"\\$handrail_pipe\\""; done
for handrail_pipe in /run/handrail/*.in; do [ -p "$handrail_pipe" ] && handrail_number=\${handrail_pipe##*/} && eval "exec \${handrail_number%.in}<\\"\\$handrail_pipe\\""; done
unset handrail_pipe handrail_number
`;

export async function launchInContainer(wanted: PlanRequest, ready: ReadyContainer): Promise<Launch> {
  const { options, parts, request } = wanted;
  const { tool } = ready;
  const isDocker = tool.name === 'docker';
  const { plan: seen, view } = planView({ ...wanted, sharesNetwork: false, takesHandles: !isDocker });
  const { runAs } = seen;
  const system = shownSystem(seen);
  const run = createRunFolder(parts.privateFolder(runAs), system, {
    ...seen,
    preamble: isDocker ? openPipes : '',
  });
  const seccompFile = join(run.scratch, 'seccomp.json');
  writeFileSync(seccompFile, seccompProfileText(), { mode: 0o400 });
  const containerName = `handrail-${process.pid}-${randomUUID().slice(0, 8)}`;
  const handleCount = request.firstHandle - 3 - (isDocker ? (request.wayOutHandles ?? 0) : 0);
  const figures = options.limits?.figures();
  const plan: ContainerPlan = {
    ...seen,
    tool,
    hasGroups: ready.hasGroups,
    system,
    containerName,
    seccompFile,
    root: isDocker ? await makeImage(ready, { root: run.root, system }, run.remove) : run.root,
    pidFile: join(run.scratch, 'pid'),
    handleCount,
    maxProcesses: figures?.processes ?? maxProcesses,
    ...(figures === undefined ? {} : { memoryBytes: figures.memoryBytes }),
    binds: [run.bind, ...seen.binds],
  };
  const [file = tool.path, ...args] = [
    ...(isDocker ? ['/bin/sh', '-c', relay, 'sh', run.bind.source, `${handleCount}`, pipeOwner(runAs)] : []),
    ...[tool.path, ...(options.buildContainerArgs ?? buildContainerArgs)(plan)],
    ...run.withEnvironment(request.program(isDocker ? { ...view, meetingPlace: insidePath } : view), view.ownPrograms),
  ];
  return {
    rung: 'container',
    file,
    args,
    launcherEnvironment: launcherEnvironment(options.environment),
    handles: [],
    uid: runAs.uid,
    gid: runAs.gid,
    isRoot: false,
    ...(isDocker ? { meetingPlace: run.bind.source } : {}),
    tree: isDocker
      ? serviceTree(tool, containerName)
      : {
          kind: 'namespace',
          initPid: () => readPid(plan.pidFile),
          killCommand: [tool.path, 'kill', containerName],
        },
    release() {
      run.remove();
      return Promise.resolve();
    },
  };
}

async function makeImage(ready: ReadyContainer, root: ContainerRoot, giveUp: () => void): Promise<string> {
  try {
    return await ready.image(root);
  } catch (error) {
    giveUp();
    const reason = error instanceof Error ? error.message : String(error);
    const message = `docker could not make the empty image that commands start from, so no command was run: ${reason}. Look at docker's disk space and service.`;
    throw new ToolFailure('unavailable', message, { cause: error });
  }
}

/** Whom root has to give the pipes to; nobody where we are that user. */
const pipeOwner = ({ manner, uid, gid }: RunAs): string => (manner === 'dropped' ? `${uid}:${gid}` : '');

function serviceTree(tool: ContainerTool, name: string): Tree {
  return {
    kind: 'service',
    signalCommand: (signal) =>
      signal === 'SIGKILL'
        ? [tool.path, 'kill', name]
        : // To everybody but the first process, which only waits.
          [tool.path, 'exec', name, '/bin/sh', '-c', `kill -${signal.slice(3)} -1`],
  };
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'latin1'));
    return pid > 1 ? pid : undefined;
  } catch {
    // Not started yet.
    return undefined;
  }
}
