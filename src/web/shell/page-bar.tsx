/** The bar above a page that is no chat: the way to the sidebar, the page's name, what can be done with all of it. */
import type { ReactNode } from 'react';
import { IconButton } from '../ui/button.tsx';
import { useWords } from '../words/use-words.ts';
import { sidebarId } from './sidebar-id.ts';

export function PageBar({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  const { t } = useWords();
  return (
    <header className="bar">
      <IconButton className="menu-button" icon="side" label={t('shell.menu')} popoverTarget={sidebarId} />
      <div className="title">
        <h1 className="cut">{title}</h1>
      </div>
      {children}
    </header>
  );
}
