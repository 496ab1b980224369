/**
 * What was typed since the last line was sent off: a command may come in pieces, and the question about it must show the
 * whole. It is kept by whoever holds the terminal, so that all processes that type into it see the same.
 */
import { randomInt } from 'node:crypto';
import type { Typed } from '../../base/typed-keys.ts';
import type { TypedPiece } from '../../contract/terminals.ts';

export type TypedLog = {
  add(tokens: readonly Typed[], wasAtShell: boolean): void;
  /** Grows with everything typed: tells whether somebody else has typed meanwhile. */
  readonly count: number;
  readonly pieces: readonly TypedPiece[];
};

/** Nobody types a line that long by hand; what was lost makes the rest unreadable. */
const maxTokens = 2_000;

export function createTypedLog(): TypedLog {
  let pieces: TypedPiece[] = [];
  // One that was opened anew under the same name must not be taken for the one before.
  let count = randomInt(2 ** 47);
  return {
    get count() {
      return count;
    },
    get pieces() {
      return pieces;
    },
    add(tokens, wasAtShell) {
      count += 1;
      const end = tokens.findLastIndex(sendsOff);
      if (end >= 0) pieces = [];
      const rest = tokens.slice(end + 1);
      if (rest.length === 0) return;
      const total = pieces.reduce((sum, piece) => sum + piece.tokens.length, rest.length);
      const isTooLong = total > maxTokens || rest.some((token) => token.kind === 'text' && token.text.length > 100_000);
      pieces = isTooLong
        ? [{ tokens: [{ kind: 'key', name: 'up' }], wasAtShell }]
        : [...pieces, { tokens: rest, wasAtShell }];
    },
  };
}

/** The line is gone after these: run, or given up. */
const sendsOff = (token: Typed): boolean => token.kind === 'key' && (token.name === 'enter' || token.name === 'ctrl-c');
