/** The bar's way to the sidebar: opens it as a sheet where there is no room beside the page, else brings it back. */
import { useApp } from '../app/use-app.ts';
import { IconButton } from '../ui/button.tsx';
import { useMedia } from '../ui/use-media.ts';
import { sidebarId } from './sidebar-id.ts';
import { dockQuery, toggleSidebar } from './sidebar-toggle.ts';

export function SideButton({ label }: { readonly label: string }) {
  const { isSidebarShown } = useApp();
  const canDock = useMedia(dockQuery);
  return canDock ? (
    <IconButton
      className="menu-button"
      icon="side"
      label={label}
      hint={`${label} (Ctrl B)`}
      onClick={() => toggleSidebar(isSidebarShown)}
    />
  ) : (
    <IconButton className="menu-button" icon="side" label={label} popoverTarget={sidebarId} />
  );
}
