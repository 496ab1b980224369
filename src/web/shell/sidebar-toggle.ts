/** Shows or hides the sidebar: beside the page where there is room, as a sheet elsewhere. */
import type { Store } from '../live/create-store.ts';
import { sidebarId } from './sidebar-id.ts';

/** Where the sidebar has room beside the page. */
export const dockQuery = '(min-width: 960px)';

export function toggleSidebar(isShown: Store<boolean>): void {
  if (window.matchMedia(dockQuery).matches) isShown.change((before) => !before);
  else document.getElementById(sidebarId)?.togglePopover();
}
