/** The notifications of a program: their service, made with the first one, and those who follow, who may come before it. */
import { once } from '../../base/once.ts';
import type { NoticeListener, NotificationFeed, Notifications } from '../../contract/notifications.ts';
import type { ServiceOwner } from '../../contract/services.ts';

export function openNotifications(environment: Readonly<Record<string, string | undefined>>): {
  readonly owner: () => Promise<ServiceOwner<Notifications>>;
  readonly feed: NotificationFeed;
} {
  const listeners = new Set<NoticeListener>();
  return {
    owner: once(async () => {
      const { createNotifications } = await import('./create-notifications.ts');
      const { showOnDesktop } = await import('./show-on-desktop.ts');
      return createNotifications({ listeners, showOnDesktop: (notice) => showOnDesktop(notice, environment) });
    }),
    feed: {
      follow(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
}
