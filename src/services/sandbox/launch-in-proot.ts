/** Writes the command line that starts a program under proot: the machine's paths rewritten, nothing kept apart. */
import { randomUUID } from 'node:crypto';
import { ToolFailure } from '../../contract/failure.ts';
import { type Proot, statxWarning } from './find-proot.ts';
import { homePathFor } from './host-view.ts';
import { buildProotArgs } from './proot-args.ts';
import { createRunFolder } from './run-folder.ts';
import type { RunAs } from './run-as.ts';
import type { Launch } from './sandbox-launch.ts';
import { shownSystem } from './shown-system.ts';
import { stagedLaunch } from './staged-launch.ts';
import { type PlanRequest, planView } from './view-plan.ts';

const markName = 'HANDRAIL_COMMAND';

/** Where nothing is rewritten, what is looked at lies at another place: there is nothing to compare. */
const noChecks = { paths: [], expected: [], forbidden: [] };

/** Nothing of it is a wall, but a setuid program gains nothing, and root is left with what belongs to root. */
function noRights({ manner }: RunAs): string[] {
  const none = ['--inh-caps', '-all', '--bounding-set', '-all'];
  return ['setpriv', '--no-new-privs', ...(manner === 'root' ? none : []), '--'];
}

export function launchInProot(wanted: PlanRequest, proot: Proot): Launch {
  const { parts, request } = wanted;
  const homePath = (source: string): string => (proot.rewritesStatx ? homePathFor(request.workspace) : source);
  const { plan: seen, view } = planView({ ...wanted, sharesNetwork: true, homePath });
  const { runAs } = seen;
  const mark = randomUUID();
  const environment = { ...seen.environment, [markName]: mark };
  if (seen.userland !== undefined && !proot.rewritesStatx)
    throw new ToolFailure('unavailable', statxWarning(proot.version));
  const run = createRunFolder(parts.privateFolder(runAs), shownSystem(seen), { runAs, environment });
  const { prefix, plan, move } = stagedLaunch({ ...seen, binds: [...seen.binds, run.bind] });
  const shown = { ...plan, proot, root: move(run.root), emptyFolder: move(run.emptyFolder) };
  const [file = proot.path, ...args] = [
    ...[...prefix, ...noRights(runAs), proot.path, ...buildProotArgs(shown)],
    ...run.withEnvironment(request.program({ ...view, isOwnNamespace: false, checks: noChecks })),
  ];
  return {
    rung: 'proot',
    file,
    args,
    launcherEnvironment: {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      PROOT_TMP_DIR: move(run.scratch),
      [markName]: mark,
    },
    handles: [],
    uid: runAs.uid,
    gid: runAs.gid,
    isRoot: false,
    tree: { kind: 'loose', mark: `${markName}=${mark}` },
    release() {
      run.remove();
      return Promise.resolve();
    },
  };
}
