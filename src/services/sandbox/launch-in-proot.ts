/** Writes the command line that starts a program under proot: the machine's paths rewritten, nothing kept apart. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';
import { type Proot, statxWarning } from './find-proot.ts';
import { buildProotArgs } from './proot-args.ts';
import { createRunFolder } from './run-folder.ts';
import type { RunAs } from './run-as.ts';
import { systemPrograms } from './own-programs.ts';
import type { Launch } from './sandbox-launch.ts';
import { shownSystem } from './shown-system.ts';
import { stagedLaunch } from './staged-launch.ts';
import { type PlanRequest, planView, type ViewPlan } from './view-plan.ts';

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
  const { plan: seen, view } = planView({ ...wanted, sharesNetwork: true });
  const { runAs } = seen;
  if (seen.userland !== undefined && !proot.rewritesStatx) {
    throw new ToolFailure('unavailable', statxWarning(proot.version));
  }
  const { prefix, plan, move } = stagedLaunch(seen);
  // What is not rewritten must lie at the same place inside.
  const home = proot.rewritesStatx ? plan.home : { ...plan.home, path: plan.home.source };
  const mark = randomUUID();
  const run = createRunFolder(parts.privateFolder(runAs), shownSystem(seen), {
    runAs,
    binds: seen.binds,
    environment: { ...withHome(seen.environment, seen.home.path, home.path), [markName]: mark },
  });
  const binds = [...plan.binds, { ...run.bind, source: move(run.bind.source) }];
  const shown = { ...plan, home, binds, proot, root: move(run.root), emptyFolder: move(run.emptyFolder) };
  makeMountPoints(run.root, shown);
  const ownPrograms = systemPrograms;
  const inside = { ...view, ownPrograms, home: home.path, path: view.path.replaceAll(seen.home.path, home.path) };
  const [file = proot.path, ...args] = [
    ...[...prefix, ...noRights(runAs), proot.path, ...buildProotArgs(shown)],
    ...run.withEnvironment(request.program({ ...inside, isOwnNamespace: false, checks: noChecks }), ownPrograms),
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

/** Only PATH and HOME of ours name it. */
function withHome(environment: Readonly<Record<string, string>>, from: string, to: string): Record<string, string> {
  const { HOME = '', PATH = '' } = environment;
  return { ...environment, HOME: HOME === from ? to : HOME, PATH: PATH.replaceAll(`:${from}/`, `:${to}/`) };
}

/** proot would make those that are missing in a folder of its own, and leave that behind when it is killed. */
function makeMountPoints(root: string, { home, workspace, binds }: ViewPlan): void {
  for (const { source, path } of [home, workspace, ...binds]) {
    const isFolder = statSync(source, { throwIfNoEntry: false })?.isDirectory() ?? true;
    mkdirSync(join(root, isFolder ? path : dirname(path)), { recursive: true });
    if (!isFolder) writeFileSync(join(root, path), '');
  }
}
