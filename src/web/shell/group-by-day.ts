/** The headings of the conversation list: pinned, today, yesterday, the last seven days, then by month. Pure. */
import type { WebConversation } from '../../contract/web-api.ts';
import type { Words } from '../words/words.ts';

export type DayGroup = { readonly title: string; readonly conversations: readonly WebConversation[] };

/** In the order in which they come. */
export function groupByDay(
  conversations: readonly WebConversation[],
  nowMs: number,
  words: Words,
): readonly DayGroup[] {
  const groups = new Map<string, WebConversation[]>([]);
  for (const conversation of conversations) {
    const title = conversation.isPinned
      ? words.t('list.pinned')
      : dayTitle(Date.parse(conversation.updatedAt), nowMs, words);
    groups.set(title, [...(groups.get(title) ?? []), conversation]);
  }
  return [...groups].map(([title, members]) => ({ title, conversations: members }));
}

function dayTitle(atMs: number, nowMs: number, { t, language }: Words): string {
  const days = Math.round((startOfDay(nowMs) - startOfDay(atMs)) / 86_400_000);
  if (days <= 0) return t('list.today');
  if (days === 1) return t('list.yesterday');
  if (days <= 7) return t('list.week');
  return new Date(atMs).toLocaleDateString(language, { month: 'long', year: 'numeric' });
}

const startOfDay = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);
