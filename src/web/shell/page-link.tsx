/** A link to a page of the app: a real address, so that it opens in a new tab as well. */
import type { MouseEvent, ReactNode } from 'react';
import { pathOf, type Route } from '../app/route.ts';
import { useApp } from '../app/use-app.ts';

export function PageLink({
  to,
  isCurrent = false,
  className = 'nav',
  title,
  children,
}: {
  readonly to: Route;
  readonly isCurrent?: boolean;
  readonly className?: string;
  readonly title?: string;
  readonly children: ReactNode;
}) {
  const { navigation } = useApp();
  const go = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigation.go(to);
  };
  return (
    <a className={className} href={pathOf(to)} title={title} aria-current={isCurrent ? 'page' : undefined} onClick={go}>
      {children}
    </a>
  );
}
