/** Tells a person who looks elsewhere, by the browser; what a call says is also shown on the page, so that it is never lost. */
import type { PersonNotice } from '../../contract/notifications.ts';
import { pathOf } from '../app/route.ts';
import type { ConversationList } from '../live/create-conversation-list.ts';
import type { Live } from '../live/create-live.ts';
import { createStore, type Store } from '../live/create-store.ts';
import type { Words } from '../words/words.ts';
import type { BrowserNotices, NoticePermission } from './browser-notices.ts';
import { questionMark } from './go-to-place.ts';
import { plainLine, startAway, tellAway, type Tell } from './tell-when-away.ts';

export type NotifierState = {
  readonly permission: NoticePermission;
  /** What calls said while this page was open, and nobody has put away: the newest first. */
  readonly said: readonly PersonNotice[];
};

export type Notifier = {
  readonly state: Pick<Store<NotifierState>, 'get' | 'subscribe'>;
  /** Asks for the permission; only from a press of the person. */
  ask(): Promise<void>;
  putAway(id: string): void;
};

export type NotifierParts = {
  readonly live: Live;
  readonly list: ConversationList;
  readonly notices: BrowserNotices;
  /** Whether some tab of this app is looked at. */
  readonly isLookedAt: () => Promise<boolean>;
  readonly words: Words;
};

const keptSaid = 3;
const titleCharacters = 80;
const textCharacters = 200;

export function createNotifier({ live, list, notices, isLookedAt, words }: NotifierParts): Notifier {
  const state = createStore<NotifierState>({ permission: notices.permission(), said: [] });
  let away = startAway(live.state.get(), Date.now());

  function titleOf(id: string): string {
    const known = live.state.get().changed.get(id) ?? list.state.get().conversations.find((each) => each.id === id);
    return known?.title ?? '';
  }

  async function tell({ kind, tag, title, text, conversationId }: Tell): Promise<void> {
    if (await isLookedAt()) return;
    const own = kind === 'says' ? '' : words.t(`notify.${kind}`);
    const named = kind === 'over' && title !== '' ? title : text;
    const mark = kind === 'asks' ? questionMark : '';
    await notices.show({
      tag,
      title: plainLine(own === '' ? title : own, titleCharacters),
      text: plainLine(named, textCharacters),
      place: `${pathOf(conversationId === undefined ? { page: 'chat' } : { page: 'chat', conversationId })}${mark}`,
    });
  }

  live.state.subscribe(() => {
    const next = live.state.get();
    const { said } = next;
    if (said !== undefined && said !== away.known.said)
      state.change((before) => ({ ...before, said: [said, ...before.said].slice(0, keptSaid) }));
    const step = tellAway(away, next, { nowMs: Date.now(), titleOf });
    away = step.state;
    for (const each of step.tells) void tell(each);
    for (const tag of step.withdrawn) void notices.withdraw(tag);
  });

  return {
    state,
    async ask() {
      const permission = await notices.ask();
      state.change((before) => ({ ...before, permission }));
    },
    putAway: (id) => state.change((before) => ({ ...before, said: before.said.filter((each) => each.id !== id) })),
  };
}
