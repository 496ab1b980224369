/** Writes the command line that starts a program under proot: the machine's paths rewritten, nothing kept apart. */
import type { Proot } from './find-proot.ts';
import { homePathFor } from './host-view.ts';
import { buildProotArgs } from './proot-args.ts';
import { createRunFolder } from './run-folder.ts';
import type { Launch } from './sandbox-launch.ts';
import { stagedLaunch } from './staged-launch.ts';
import { type PlanRequest, planView } from './view-plan.ts';

/** Where nothing is rewritten, what is looked at lies at another place: there is nothing to compare. */
const noChecks = { paths: [], expected: [], forbidden: [] };

export function launchInProot(wanted: PlanRequest, proot: Proot): Launch {
  const { parts, request } = wanted;
  const homePath = (source: string): string => (proot.rewritesStatx ? homePathFor(request.workspace) : source);
  const { plan: seen, view } = planView({ ...wanted, sharesNetwork: true, homePath });
  const { runAs } = seen;
  const run = createRunFolder(parts.privateFolder(runAs), parts.hostView(), seen);
  const { prefix, plan, move } = stagedLaunch({ ...seen, binds: [...seen.binds, run.bind] });
  const shown = { ...plan, proot, root: move(run.root), emptyFolder: move(run.emptyFolder) };
  const [file = proot.path, ...args] = [
    ...[...prefix, proot.path, ...buildProotArgs(shown)],
    ...run.withEnvironment(request.program({ ...view, checks: noChecks })),
  ];
  return {
    rung: 'proot',
    file,
    args,
    launcherEnvironment: {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      PROOT_TMP_DIR: move(run.scratch),
    },
    handles: [],
    uid: runAs.uid,
    gid: runAs.gid,
    isRoot: false,
    tree: { kind: 'loose' },
    release() {
      run.remove();
      return Promise.resolve();
    },
  };
}
