/** What a rung that takes its mounts one by one has to show of the system: the machine's own, or a userland's. */
import type { ViewPlan } from './view-plan.ts';

export type ShownSystem = {
  readonly mounts: readonly { readonly source: string; readonly path: string; readonly isWritable: boolean }[];
  readonly links: readonly { readonly path: string; readonly target: string }[];
};

export function shownSystem({ userland, systemFolders, rootLinks, etc }: ViewPlan): ShownSystem {
  if (userland !== undefined) {
    return { mounts: userland.mounts.map((mount) => ({ ...mount, isWritable: true })), links: userland.links };
  }
  const own = [...systemFolders, ...etc.bound.map((name) => `/etc/${name}`)];
  return {
    mounts: [{ source: etc.source, path: '/etc' }, ...own.map((path) => ({ source: path, path }))].map((mount) => ({
      ...mount,
      isWritable: false,
    })),
    links: rootLinks,
  };
}
