/** Shows a file of the sandbox to its owner: in a page of the web app that shows the conversation, else by the desktop. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Files, ServiceOwner } from '../../contract/services.ts';
import type { CallScope } from '../../contract/services.ts';
import type { Viewer, ViewListener } from '../../contract/viewer.ts';

export type ViewerOptions = {
  readonly listeners: Iterable<ViewListener>;
  readonly filesFor: (scope: CallScope) => Promise<Files>;
  /** Resolves with whether the desktop took it. */
  readonly openOnDesktop: (realPath: string) => Promise<boolean>;
};

/** What a desktop opens to be seen. Anything else it might run. */
const seenOnDesktop = new Set(['.png', '.jpg', '.jpeg', '.gif', '.webp', '.pdf', '.txt', '.md']);
/** A browser of the desktop runs its scripts and reaches the whole network: nothing there holds it. */
const pages = new Set(['.html', '.htm']);

export function createViewer({ listeners, filesFor, openOnDesktop }: ViewerOptions): ServiceOwner<Viewer> {
  async function mayOpen(scope: CallScope, ending: string): Promise<boolean> {
    if (seenOnDesktop.has(ending)) return true;
    if (!pages.has(ending)) return false;
    const decision = await scope.request?.({ kind: 'app', name: 'web browser' });
    return decision?.verdict === 'allow';
  }
  return {
    forCall: (scope) => ({
      async show(file) {
        const { path: shownPath, realPath } = await (await filesFor(scope)).check(file, 'read');
        const { id: conversationId } = scope.conversation;
        const shown = { id: randomUUID(), conversationId, path: shownPath };
        const count = [...listeners].reduce((sum, listener) => sum + listener(shown), 0);
        if (count > 0) return { way: 'browser' };
        const isTaken = (await mayOpen(scope, path.extname(realPath).toLowerCase())) && (await openOnDesktop(realPath));
        return { way: isTaken ? 'desktop' : 'none' };
      },
    }),
    close: () => Promise.resolve(), // What was opened belongs to the person.
  };
}
