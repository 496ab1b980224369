/** Types keys into a terminal, one caller after the other. */
import { readTyped, type Typed } from '../../base/typed-keys.ts';
import { bytesOf } from './key-bytes.ts';
import type { TypedLog } from './typed-log.ts';

export type TypingOptions = {
  readonly typed: TypedLog;
  send(bytes: string): void;
  usesApplicationCursorKeys(): boolean;
  isAtShell(): boolean;
  rest(maxMs: number): Promise<void>;
};

const signalWaitMs = 500;

/** `input`: as callers write it (typed-keys). */
export function createTyping(options: TypingOptions): (input: string) => Promise<void> {
  let turn: Promise<void> = Promise.resolve();

  async function type(tokens: readonly Typed[]): Promise<void> {
    for (const [index, part] of splitAfterSignals(tokens).entries()) {
      if (index > 0) await options.rest(signalWaitMs);
      options.send(bytesOf(part, options.usesApplicationCursorKeys()));
    }
  }

  return (input) => {
    const tokens = readTyped(input);
    options.typed.add(tokens, options.isAtShell());
    turn = turn.then(() => type(tokens));
    return turn;
  };
}

/**
 * The kernel turns these into signals, which reach a program later than the keys behind them: a shell would take those for the
 * rest of the line that was just given up.
 */
const signals = new Set(['ctrl-c', 'ctrl-z', 'ctrl-\\']);

function splitAfterSignals(tokens: readonly Typed[]): readonly (readonly Typed[])[] {
  const parts: Typed[][] = [[]];
  for (const token of tokens) {
    parts.at(-1)?.push(token);
    if (token.kind === 'key' && signals.has(token.name)) parts.push([]);
  }
  return parts.filter((part) => part.length > 0);
}
