/** Writes the command line that starts a program under bubblewrap. */
import type { Rung } from '../../contract/services.ts';
import { buildBwrapArgs, type SandboxPlan } from './bwrap-args.ts';
import type { Bubblewrap } from './find-bubblewrap.ts';
import type { Handle, Launch } from './sandbox-launch.ts';
import { stagedLaunch } from './staged-launch.ts';
import { type PlanRequest, planView } from './view-plan.ts';

export function launchInNamespaces(wanted: PlanRequest, bubblewrap: Bubblewrap, rung: Rung): Launch {
  const { options, parts, request } = wanted;
  const { plan: seen, view } = planView(wanted);
  const seccompFile = parts.seccompFile(seen.userland !== undefined);
  const status = request.firstHandle + 1;
  const { prefix, plan } = stagedLaunch<SandboxPlan>({
    ...seen,
    bubblewrap,
    procGuards: parts.procGuards(seen.runAs),
    ...(options.limits === undefined ? {} : { temporaryBytes: options.limits.temporaryBytes() }),
    handles: { status, seccomp: seccompFile === undefined ? undefined : status + 1 },
  });
  // By a pipe, not as arguments: every user of the machine can read those, and a variable's value may be a secret.
  const bytes = Buffer.from(`${(options.buildArgs ?? buildBwrapArgs)(plan).join('\0')}\0`);
  const handles: Handle[] = [{ kind: 'bytes', bytes }, { kind: 'status' }];
  if (seccompFile !== undefined) handles.push({ kind: 'file', path: seccompFile });
  const [file = bubblewrap.path, ...args] = [
    ...[...prefix, bubblewrap.path, '--args', `${request.firstHandle}`, '--'],
    ...request.program(view),
  ];
  return {
    rung,
    file,
    args,
    launcherEnvironment: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    handles,
    uid: plan.runAs.uid,
    gid: plan.runAs.gid,
    isRoot: plan.runAs.manner === 'root',
    tree: { kind: 'namespace', initPid: bubblewrapInitPid },
    release: () => Promise.resolve(),
  };
}

/** bwrap(1), --json-status-fd. As seen from out here. */
function bubblewrapInitPid(status: string): number | undefined {
  const pid = Number(/"child-pid"\s*:\s*(\d+)/.exec(status)?.[1]);
  return pid > 1 ? pid : undefined;
}
