/** Tells a person who is not looking: by the desktop of this machine, and by whoever follows (the pages of the web app). */
import { randomUUID } from 'node:crypto';
import { ToolFailure } from '../../contract/failure.ts';
import type { NoticeListener, Notifications, NotificationWay, PersonNotice } from '../../contract/notifications.ts';
import type { ServiceOwner } from '../../contract/services.ts';

export type NotificationOptions = {
  /** Whoever can show them besides the desktop. */
  readonly listeners: Iterable<NoticeListener>;
  /** Resolves with whether a desktop took it. Omitted: there is none. */
  readonly showOnDesktop?: (notice: PersonNotice) => Promise<boolean>;
  readonly now?: () => number;
  /** In any minute. Omitted: 10, so that no text of others can flood a person. */
  readonly mostPerMinute?: number;
};

const titleCharacters = 100;
const messageCharacters = 1_000;

export function createNotifications(options: NotificationOptions): ServiceOwner<Notifications> {
  const { listeners, showOnDesktop = () => Promise.resolve(false), now = Date.now, mostPerMinute = 10 } = options;
  let sentAt: readonly number[] = [];

  function countOne(): void {
    sentAt = sentAt.filter((at) => now() - at < 60_000);
    if (sentAt.length >= mostPerMinute)
      throw new ToolFailure('busy', `${mostPerMinute} notifications were sent within a minute. Send one later.`);
    sentAt = [...sentAt, now()];
  }

  return {
    forCall: ({ conversation }) => ({
      async send({ title, message }) {
        const notice: PersonNotice = {
          id: randomUUID(),
          title: oneLine(title, titleCharacters),
          message: oneLine(message, messageCharacters),
          ...(conversation.isThrowaway ? {} : { conversationId: conversation.id }),
        };
        if (notice.message === '') throw new ToolFailure('invalid_input', 'The message is empty. Say something in it.');
        countOne();
        const pages = [...listeners].reduce((sum, listener) => sum + listener(notice), 0);
        const ways: NotificationWay[] = (await showOnDesktop(notice)) ? ['desktop'] : [];
        if (pages > 0) ways.push('browser');
        if (ways.length === 0)
          throw new ToolFailure(
            'unavailable',
            'Nobody can be reached: this machine has no desktop session with notify-send, and no page of the web app is open. Say it in the answer instead.',
          );
        return { id: notice.id, ways };
      },
    }),
    close: () => Promise.resolve(), // Nothing is held between two notifications.
  };
}

// Controls, bidirectional and zero-width characters, lone surrogates, private use: they could make it look as if it said something else.
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

function oneLine(text: string, maxCharacters: number): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll(hidden, '').trim();
  const characters = [...line];
  return characters.length <= maxCharacters ? line : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}
