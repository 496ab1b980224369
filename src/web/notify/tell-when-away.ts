/** What a person who looks elsewhere is told: what asks, what ended after a long time, what a call wants to say. Pure. */
import type { Question } from '../../contract/permission.ts';
import type { LiveState } from '../live/fold-notices.ts';

/** `tag`: what it is about; another one about the same takes its place. `place`: where a press on it leads. */
export type Tell = {
  readonly kind: 'asks' | 'over' | 'says';
  readonly tag: string;
  /** Of `says`, and the conversation's of `over`; empty: the words of its kind say it. */
  readonly title: string;
  readonly text: string;
  readonly conversationId?: string;
};

/** Shorter turns are waited for. */
const longMs = 30_000;

export type AwayState = {
  readonly known: LiveState;
  /** When each run that goes on was first seen. */
  readonly since: ReadonlyMap<string, number>;
};

export const startAway = (known: LiveState, nowMs: number): AwayState => ({
  known,
  since: new Map([...known.running].map((id) => [id, nowMs])),
});

export function tellAway(
  state: AwayState,
  next: LiveState,
  { nowMs, titleOf }: { readonly nowMs: number; readonly titleOf: (conversationId: string) => string },
): { readonly state: AwayState; readonly tells: readonly Tell[]; readonly withdrawn: readonly string[] } {
  const { known, since } = state;
  // What was there when the page was opened is no news.
  const isNews = known.isKnown;
  const asked = newQuestions(known.questions, next.questions).map(askTell);
  const over = [...since].filter(([id, startedMs]) => !next.running.has(id) && nowMs - startedMs >= longMs);
  const said = next.said !== undefined && next.said.id !== known.said?.id ? [next.said] : [];
  const tells: readonly Tell[] = [
    ...asked,
    ...over.map(([id]): Tell => ({
      kind: 'over',
      tag: `over-${id}`,
      title: titleOf(id),
      text: '',
      conversationId: id,
    })),
    ...said.map(({ id, title, message, conversationId }): Tell => {
      const place = conversationId === undefined ? {} : { conversationId };
      return { kind: 'says', tag: `says-${id}`, title, text: message, ...place };
    }),
  ];
  const running = [...next.running].map((id) => [id, since.get(id) ?? nowMs] as const);
  return {
    state: { known: next, since: new Map(running) },
    tells: isNews ? tells : [],
    withdrawn: newQuestions(next.questions, known.questions).map(({ id }) => `asks-${id}`),
  };
}

/** Those of `now` that are not in `before`. */
function newQuestions(before: readonly Question[], now: readonly Question[]): readonly Question[] {
  const known = new Set(before.map(({ id }) => id));
  return now.filter(({ id }) => !known.has(id));
}

const askTell = ({ id, title, summary, conversationId }: Question): Tell => ({
  kind: 'asks',
  tag: `asks-${id}`,
  title: '',
  text: summary === '' ? title : `${title}: ${summary}`,
  conversationId,
});

// Controls, bidirectional and zero-width characters, lone surrogates, private use.
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

/** Text of others, as a notification may hold it: one line, short, of characters that are seen. */
export function plainLine(text: string, maxCharacters: number): string {
  const characters = [...text.replaceAll(/\s+/g, ' ').replaceAll(hidden, '').trim()];
  return characters.length <= maxCharacters
    ? characters.join('')
    : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}
