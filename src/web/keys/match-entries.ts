/** What the palette lists for what was typed: actions and pages first, then conversations. Pure. */
import type { WebConversation } from '../../contract/web-api.ts';
import type { IconName } from '../ui/icon-paths.ts';

export type Entry = {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  /** Its key, or where it is. */
  readonly detail: string;
  choose(): void;
};

export type Actions = {
  readonly entries: readonly Entry[];
  entryOf(conversation: WebConversation): Entry;
};

const mostConversations = 20;

/** Every word that was typed must stand somewhere; those at the beginning of a word come first. */
export function matchEntries(
  text: string,
  { entries, entryOf }: Actions,
  conversations: readonly WebConversation[],
): readonly Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (entry: Entry): boolean =>
    words.every((word) => `${entry.label}\n${entry.detail}`.toLowerCase().includes(word));
  const begins = (entry: Entry): boolean => words.every((word) => ` ${entry.label.toLowerCase()}`.includes(` ${word}`));
  const chats = conversations.map(entryOf).filter(fits).slice(0, mostConversations);
  const acts = entries.filter(fits);
  const all = words.length === 0 ? [...acts, ...chats] : [...chats, ...acts];
  return words.length === 0 ? all : [...all.filter(begins), ...all.filter((entry) => !begins(entry))];
}
