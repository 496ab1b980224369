/** The browser's own notifications, where it has them and the person allowed them. */

export type NoticePermission = NotificationPermission | 'unsupported';

export type BrowserNotice = {
  readonly tag: string;
  readonly title: string;
  readonly text: string;
  /** An address of this app. */
  readonly place: string;
};

export type BrowserNotices = {
  permission(): NoticePermission;
  /** Only from a press of the person: browsers ask nobody otherwise. */
  ask(): Promise<NoticePermission>;
  /** Resolves with whether it is shown. */
  show(notice: BrowserNotice): Promise<boolean>;
  withdraw(tag: string): Promise<void>;
};

export function createBrowserNotices(window: Window & typeof globalThis, go: (place: string) => void): BrowserNotices {
  const isSupported = 'Notification' in window;
  const shown = new Map<string, Notification>();
  const permission = (): NoticePermission => (isSupported ? window.Notification.permission : 'unsupported');

  /** The worker shows it where there is one: phones know no other way, and a press opens a tab when none is left. */
  async function workerOf(): Promise<ServiceWorkerRegistration | undefined> {
    const container = window.navigator.serviceWorker as ServiceWorkerContainer | undefined;
    const registration = await container?.getRegistration().catch(() => undefined);
    return registration?.active === null ? undefined : registration;
  }

  function showAlone({ tag, title, text, place }: BrowserNotice): void {
    const notice = new window.Notification(title, { body: text, tag });
    shown.set(tag, notice);
    notice.onclose = () => shown.delete(tag);
    notice.onclick = () => {
      notice.close();
      window.focus();
      go(place);
    };
  }

  return {
    permission,
    ask: async () => (isSupported ? window.Notification.requestPermission() : 'unsupported'),
    async show(notice) {
      if (permission() !== 'granted') return false;
      try {
        const { tag, title, text: body, place } = notice;
        const worker = await workerOf();
        if (worker === undefined) showAlone(notice);
        else await worker.showNotification(title, { body, tag, data: { place }, icon: '/icon-192.png' });
        return true;
      } catch {
        // Taken back in between, or a browser that shows them by a worker only: the page itself still shows it.
        return false;
      }
    },
    async withdraw(tag) {
      shown.get(tag)?.close();
      const found = await (await workerOf())?.getNotifications({ tag }).catch(() => []);
      for (const notice of found ?? []) notice.close();
    },
  };
}
