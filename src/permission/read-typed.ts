/**
 * What is typed into a terminal is a command as well, as soon as a shell gets it. It may come in pieces, a program may take a
 * part of it, and keys may change the line in ways that nobody sees: whatever could become a command is read, and what cannot
 * be read asks.
 */
import { readTyped } from '../base/typed-keys.ts';
import type { CommandFinding } from '../contract/access.ts';
import type { TypedPiece, TypedState, TypedToken } from '../contract/terminals.ts';
import { readCommand } from './read-command/read-command.ts';
import type { ReadContext } from './read-command/scope.ts';

export type TypedReading = {
  readonly heads: readonly string[];
  readonly findings: readonly CommandFinding[];
  /** What a shell may run now, to be checked against a list; undefined when it is no shell's, or nothing is sent off. */
  readonly lines: readonly string[];
};

/**
 * A terminal that was opened with one of these has no shell behind it: it ends with its program. What it can do by itself
 * (`:!cmd`, `os.system`) is as when the program is run with a script.
 */
const programs =
  /^(?:python[\d.]*|pypy\d*|ipython\d?|bpython|node|nodejs|deno|bun|irb|ruby[\d.]*|lua[\d.]*|luajit|ghci|R|julia|php[\d.]*|bc|dc|sqlite3|vi|vim|vim\.\w+|nvim|nano|pico|emacs|micro|joe|ed|less|more|most|man|info|top|htop|btop|atop|watch|tail)$/;

/** Beyond it every beginning of a command would cost too much to look for. */
const maxScannedChars = 400;

export function readTypedCommand(input: string, state: TypedState, context: ReadContext): TypedReading {
  if (isProgram(state.command, context)) return nothing;
  const pieces = [...state.pieces, { tokens: readTyped(input), wasAtShell: state.isAtShell }];
  // Nothing runs before Enter; until then it is remembered, and read as a whole.
  const readings = splitAtGivenUp(pieces)
    .filter((line) => line.some((piece) => piece.tokens.some(sendsOff)))
    .map((line) => readLine(line, input, context));
  return {
    heads: readings.flatMap((reading) => reading.heads),
    findings: unique(readings.flatMap((reading) => reading.findings)),
    lines: readings.flatMap((reading) => reading.lines),
  };
}

const nothing: TypedReading = { heads: [], findings: [], lines: [] };

function readLine(pieces: readonly TypedPiece[], input: string, context: ReadContext): TypedReading {
  const tokens = pieces.flatMap((piece) => piece.tokens);
  const sent = tokens.slice(0, tokens.findLastIndex(sendsOff) + 1);
  if (sent.some((token) => token.kind === 'key' && token.name !== 'enter')) return unreadable(input);
  const texts = pieces.map((_, index) => textOf(pieces.slice(index).flatMap((piece) => piece.tokens)));
  const full = texts[0] ?? '';
  // A shell waits for the rest of such a line and takes both as one.
  if (/\\\n/.test(full)) return unreadable(input);
  const lines = [...new Set(texts)].filter((text) => text.trim() !== '');
  const readings = lines.map((text) => readEverywhere(text, context));
  const beginnings = pieces.every((piece) => piece.wasAtShell) ? [] : findBeginnings(full, context);
  const findings = [...readings.flatMap((reading) => reading.findings), ...beginnings];
  return { heads: readings[0]?.heads ?? [], findings, lines };
}

/** What was typed before Ctrl-C is gone; what keys do that leave a line as it is does not matter. */
function splitAtGivenUp(pieces: readonly TypedPiece[]): readonly (readonly TypedPiece[])[] {
  const lines: TypedPiece[][] = [[]];
  for (const { tokens, wasAtShell } of pieces) {
    let rest: TypedToken[] = [];
    for (const token of tokens) {
      if (token.kind === 'key' && token.name === 'ctrl-c') {
        lines.at(-1)?.push({ tokens: rest, wasAtShell });
        lines.push([]);
        rest = [];
      } else if (token.kind === 'text' || !leavesLine.has(token.name)) {
        rest.push(token);
      }
    }
    if (rest.length > 0) lines.at(-1)?.push({ tokens: rest, wasAtShell });
  }
  return lines;
}

/** Suspend, quit, end of input, draw anew. */
const leavesLine = new Set(['ctrl-z', 'ctrl-\\', 'ctrl-d', 'ctrl-l']);

/** Ctrl-O runs a line of the history; what Alt does depends on what it is pressed with. */
const sendsOff = (token: TypedToken): boolean =>
  token.kind === 'key' && (token.name === 'enter' || token.name === 'ctrl-o' || token.name.startsWith('alt-'));

/** What is typed, as a shell would get it. */
export const plainText = (input: string): string => textOf(readTyped(input));

const textOf = (tokens: readonly TypedToken[]): string =>
  tokens.map((token) => (token.kind === 'text' ? token.text : '\n')).join('');

function isProgram(command: string, context: ReadContext): boolean {
  const { heads, findings } = readCommand(command, context);
  return heads.length > 0 && heads.every((head) => programs.test(head)) && findings.length === 0;
}

/** Where a terminal's shell stands is not known: somewhere in the workspace, as far as a question is concerned. */
function readEverywhere(text: string, context: ReadContext): ReturnType<typeof readCommand> {
  const above = readCommand(text, { ...context, cwd: context.workspace });
  const below = readCommand(text, { ...context, cwd: `${context.workspace}/a/b/c/d/e/f/g/h` });
  return { ...above, findings: [...above.findings, ...below.findings] };
}

/** A program in the foreground may take the first of it, and the shell gets the rest. */
function findBeginnings(full: string, context: ReadContext): readonly CommandFinding[] {
  if (full.length > maxScannedChars) return [{ kind: 'unreadable', text: full, insideSandboxOnly: false }];
  return Array.from({ length: full.length }, (_, index) => readEverywhere(full.slice(index), context).findings)
    .flat()
    .filter((finding) => finding.kind !== 'unreadable');
}

function unreadable(input: string): TypedReading {
  return { heads: ['?'], findings: [{ kind: 'unreadable', text: input, insideSandboxOnly: false }], lines: [input] };
}

function unique(findings: readonly CommandFinding[]): readonly CommandFinding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}
