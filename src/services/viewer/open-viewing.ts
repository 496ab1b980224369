/** The viewer of a program: its service, made with the first file, and the pages that follow, which may come before it. */
import type { ViewingFeed, Viewer, ViewListener } from '../../contract/viewer.ts';
import type { CallScope, Files, ServiceOwner } from '../../contract/services.ts';

export type Viewing = {
  readonly owner: (filesFor: (scope: CallScope) => Promise<Files>) => Promise<ServiceOwner<Viewer>>;
  readonly feed: ViewingFeed;
};

export function openViewing(environment: Readonly<Record<string, string | undefined>>): Viewing {
  const listeners = new Set<ViewListener>();
  return {
    async owner(filesFor) {
      const { createViewer } = await import('./create-viewer.ts');
      const { openOnDesktop } = await import('./open-on-desktop.ts');
      return createViewer({ listeners, filesFor, openOnDesktop: (path) => openOnDesktop(path, environment) });
    },
    feed: {
      follow(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
}
