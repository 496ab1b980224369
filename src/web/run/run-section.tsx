/** One part of the panel "This run": its name, what can be done with all of it, what is in it. */
import type { ReactNode } from 'react';

export function Section({
  title,
  action = null,
  children,
}: {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section>
      <div className="run-head">
        <h3>{title}</h3>
        {action}
      </div>
      {children}
    </section>
  );
}
