/** Writes proot's arguments. Pure: what is shown where can be read and tested as a list. */
import type { Proot } from './find-proot.ts';
import { shownSystem } from './shown-system.ts';
import type { ViewPlan } from './view-plan.ts';

export type ProotPlan = ViewPlan & {
  readonly proot: Proot;
  /** Holds the names of the top level and nothing else. */
  readonly root: string;
  readonly emptyFolder: string;
};

/** What is not bound does not exist for programs that are rewritten; /tmp is the machine's, or half of it would be missing. */
export function buildProotArgs(plan: ProotPlan): string[] {
  const { root, home, workspace, hidden, binds, proot } = plan;
  return [
    ...['-r', root, '-w', '/'],
    ...(proot.rewritesStatx ? ['--kill-on-exit'] : []),
    ...(plan.userland === undefined ? [] : ['-0']),
    ...['/proc', '/dev', '/tmp'].flatMap((folder) => bind(folder, folder)),
    ...shownSystem(plan).mounts.flatMap(({ source, path }) => bind(source, path)),
    ...bind(home.source, home.path),
    ...bind(workspace.source, workspace.path),
    ...hidden.flatMap(({ path, kind }) => bind(kind === 'folder' ? plan.emptyFolder : '/dev/null', path)),
    ...binds.flatMap(({ source, path }) => bind(source, path)),
  ];
}

/** proot(1): a colon separates the two, and cannot be written otherwise. */
function bind(source: string, path: string): string[] {
  return ['-b', source === path ? source : `${source}:${path}`];
}
