/** What a pressed button says to the model, as a message, and how it is read again for the screen. Pure. */
import { inputsOf, type Screen } from './parse-screen.ts';
import type { Action, InputValue } from './screen-node.ts';

export type ScreenAnswer = {
  readonly label: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly values: Readonly<Record<string, unknown>>;
};

const fence = '```kai-ui-answer';

/** For the model a fenced block of JSON; before it the button's own words, for whoever reads the conversation. */
export function answerMessage(
  screen: Screen,
  { event, data, collectFrom }: Extract<Action, { type: 'callback' }>,
  label: string,
  entered: ReadonlyMap<string, InputValue>,
): string {
  const wanted = inputsOf(screen).filter(({ id }) => collectFrom === undefined || collectFrom.includes(id));
  const values = Object.fromEntries(wanted.map(({ id, value }) => [id, entered.get(id) ?? value]));
  return `${label}\n${fence}\n${JSON.stringify({ event, data, values })}\n\`\`\``;
}

/** Undefined: a person wrote it themselves. */
export function readAnswer(text: string): ScreenAnswer | undefined {
  const at = text.lastIndexOf(`\n${fence}\n`);
  if (at < 0) return undefined;
  try {
    const read = JSON.parse(text.slice(at + fence.length + 2).replace(/\n```\s*$/, '')) as Partial<ScreenAnswer>;
    return {
      label: text.slice(0, at),
      event: String(read.event ?? ''),
      data: read.data ?? {},
      values: read.values ?? {},
    };
  } catch {
    // Written by hand, or cut: it is text then.
    return undefined;
  }
}

/** The last screen in a text: the content of its last block that can be drawn. `isWhole`: the block has its end. */
export function lastScreenText(text: string): { readonly text: string; readonly isWhole: boolean } | undefined {
  const at = Math.max(...['```kai-ui\n', '~~~kai-ui\n'].map((open) => text.lastIndexOf(open)));
  if (at < 0 || (at > 0 && text[at - 1] !== '\n')) return undefined;
  const body = text.slice(text.indexOf('\n', at) + 1);
  const end = body.search(/^(```|~~~)\s*$/m);
  return end < 0 ? { text: body, isWhole: false } : { text: body.slice(0, end), isWhole: true };
}
