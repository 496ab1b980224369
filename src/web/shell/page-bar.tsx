/** The bar above a page that is no chat: the way to the sidebar, the page's name, what can be done with all of it. */
import type { ReactNode } from 'react';
import { useWords } from '../words/use-words.ts';
import { SideButton } from './side-button.tsx';

export function PageBar({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  const { t } = useWords();
  return (
    <header className="bar">
      <SideButton label={t('shell.menu')} />
      <div className="title">
        <h1 className="cut">{title}</h1>
      </div>
      {children}
    </header>
  );
}
