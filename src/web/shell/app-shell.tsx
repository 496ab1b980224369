/** The frame of every page: the sidebar, docked or as a sheet, and the page beside it. */
import { useEffect, useRef, type ReactNode } from 'react';
import { useApp, useStore } from '../app/use-app.ts';
import { SaidLines } from '../notify/said-lines.tsx';
import { AppKeys } from '../keys/app-keys.tsx';
import { ShownFile } from '../viewer/shown-file.tsx';
import { useWords } from '../words/use-words.ts';
import { Sidebar } from './sidebar.tsx';
import { sidebarId } from './sidebar-id.ts';

export function AppShell({ children }: { readonly children: ReactNode }) {
  const { t } = useWords();
  const { navigation, isSidebarShown } = useApp();
  const hasSidebar = useStore(isSidebarShown);
  const route = useStore(navigation.route);
  const sheet = useRef<HTMLElement>(null);
  useEffect(() => {
    // As a sheet it has done its work once something was chosen.
    if (sheet.current?.matches(':popover-open') === true) sheet.current.hidePopover();
  }, [route]);
  return (
    <div className={hasSidebar ? 'app' : 'app no-side'}>
      <a className="skip" href="#main">
        {t('shell.skip')}
      </a>
      <aside
        ref={sheet}
        className="side"
        id={sidebarId}
        popover="auto"
        aria-label={t(route.page === 'settings' ? 'settings.title' : 'shell.conversations')}
      >
        <Sidebar />
      </aside>
      <main className="main" id="main" tabIndex={-1}>
        {children}
      </main>
      <AppKeys />
      <SaidLines />
      <ShownFile />
    </div>
  );
}
