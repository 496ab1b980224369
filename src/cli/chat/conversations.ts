/** Starting afresh, and going on with an earlier conversation. */
import { showCounted } from '../show/amounts.ts';
import { cleanLine } from '../show/clean-text.ts';
import { span } from '../show/span.ts';
import type { ChatParts } from './chat-parts.ts';
import { goOnWithOpenTurn } from './do-work.ts';
import { addItems, emptyScreen } from './fold-screen.ts';
import { historyOf } from './input-history.ts';
import { dimNotice, problemLines, problemNotice, say } from './notices.ts';
import { openPicker } from './picker.ts';
import { replay } from './replay.ts';
import type { ScreenItem } from './screen.ts';
import { typedText } from './typed-text.ts';

export function startAfresh(parts: ChatParts): void {
  parts.store.change((state) => ({
    ...state,
    conversationId: parts.newId(),
    screen: addItems({ ...emptyScreen, items: state.screen.items }, newConversation),
  }));
}

const newConversation: ScreenItem = { kind: 'notice', lines: [[span('── A new conversation', 'dim')]] };

export async function chooseConversation(parts: ChatParts): Promise<void> {
  const { handrail, store } = parts;
  const all = await handrail.conversations.list({ limit: 200, workspace: handrail.workspace });
  const others = all.filter((each) => each.id !== store.get().conversationId);
  if (others.length === 0) return say(store, dimNotice('There is no earlier conversation in this workspace.'));
  openPicker(store, {
    title: 'Go on with',
    verb: 'open',
    items: others.map((each) => ({
      label: cleanLine(each.title) || each.id,
      detail: showAge(Date.parse(each.updatedAt)),
      value: each.id,
    })),
    choose: (item) => {
      openConversation(parts, item.value).catch((error: unknown) => say(store, problemNotice(error)));
    },
  });
}

/** Shows the end of it; a turn that was cut off goes on. */
export async function openConversation(parts: ChatParts, id: string): Promise<void> {
  const { handrail, store } = parts;
  const conversation = await handrail.conversations.get(id);
  if (conversation === undefined)
    return say(store, problemLines(`There is no conversation "${id}". /resume lists them.`));
  if (conversation.workspace !== handrail.workspace) {
    return say(
      store,
      problemLines(`That conversation belongs to ${conversation.workspace}. Start Handrail there to go on with it.`),
    );
  }
  const events = await handrail.conversations.events(id);
  const { screen, said, isOpen } = replay(events, saidIn);
  const title: ScreenItem = {
    kind: 'notice',
    lines: [
      [
        span('── ', 'dim'),
        span(cleanLine(conversation.title) || id),
        span(` · ${showCounted(said.length, 'message')}`, 'dim'),
      ],
    ],
  };
  // The turn's clock starts anew: nobody waited while the program was gone.
  const turn = screen.turn === undefined ? undefined : { ...screen.turn, startedAtMs: Date.now() };
  store.change((state) => ({
    ...state,
    conversationId: id,
    history: historyOf([...said, ...state.history.entries]),
    screen: { ...screen, turn, items: [...state.screen.items, title, ...screen.items] },
  }));
  if (isOpen) goOnWithOpenTurn(parts);
}

function saidIn(item: ScreenItem): string | undefined {
  if (item.kind === 'user') return item.text;
  return item.kind === 'typed' ? typedText(item.tool, item.input) : undefined;
}

function showAge(thenMs: number): string {
  const minutes = Math.round((Date.now() - thenMs) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 60 * 24) return `${Math.round(minutes / 60)} h ago`;
  return new Date(thenMs).toISOString().slice(0, 10);
}
