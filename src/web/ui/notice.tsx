/** A line that says something between the content: why, and what to do about it. */
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-paths.ts';

export function Notice({
  icon = 'info',
  look,
  role,
  children,
  actions,
}: {
  readonly icon?: IconName;
  readonly look?: 'ask' | 'bad';
  /** `status` is read out when it can wait, `alert` at once. */
  readonly role?: 'status' | 'alert';
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <div className={look === undefined ? 'notice' : `notice ${look}`} role={role}>
      <Icon name={icon} />
      <div>{children}</div>
      {actions === undefined ? null : <div className="actions">{actions}</div>}
    </div>
  );
}
