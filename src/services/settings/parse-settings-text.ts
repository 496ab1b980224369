/** From bytes to a JSON value, or to one line with the place where it stops being one. */
import { isUtf8 } from 'node:buffer';
import { SetupFailure } from '../../contract/failure.ts';
import { escapeInvisible } from '../../base/escape-invisible.ts';
import { findJsonProblem } from './find-json-problem.ts';

const byteOrderMark = '\ufeff';
const excerptReach = 25;

export function parseSettingsText(bytes: Buffer, file: string): Readonly<Record<string, unknown>> {
  if (!isUtf8(bytes))
    throw new SetupFailure(
      `${file} is no UTF-8 text at ${invalidBytePlace(bytes)}: save it as UTF-8. Nothing was changed.`,
    );
  const whole = bytes.toString('utf8');
  const text = whole.startsWith(byteOrderMark) ? whole.slice(1) : whole;
  const problem = findJsonProblem(text);
  if (problem !== undefined) {
    const { line, column, excerpt } = locate(text, problem.offset);
    const near = excerpt === '' ? '' : ` (near ${excerpt})`;
    throw new SetupFailure(`${file}, line ${line}, column ${column}: ${problem.message}${near}. Nothing was changed.`);
  }
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SetupFailure(`${file}, line 1, column 1: settings are an object, in braces { }. Nothing was changed.`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function invalidBytePlace(bytes: Buffer): string {
  let line = 1;
  let start = 0;
  for (;;) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    const column = invalidColumn(bytes.subarray(start, end));
    if (column !== undefined || newline === -1) return `line ${line}, column ${column ?? 1}`;
    line += 1;
    start = newline + 1;
  }
}

/** 1-based, in characters. A newline never is a part of another character in UTF-8, so lines can be looked at alone. */
function invalidColumn(lineBytes: Buffer): number | undefined {
  if (isUtf8(lineBytes)) return undefined;
  let valid = 0;
  for (let end = 1; end <= lineBytes.length && end - valid <= 4; end += 1) {
    if (isUtf8(lineBytes.subarray(valid, end))) valid = end;
  }
  return Array.from(lineBytes.subarray(0, valid).toString('utf8')).length + 1;
}

function locate(
  text: string,
  offset: number,
): { readonly line: number; readonly column: number; readonly excerpt: string } {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const newline = text.indexOf('\n', offset);
  const end = newline === -1 ? text.length : newline;
  const excerpt = text.slice(Math.max(start, offset - excerptReach), Math.min(end, offset + excerptReach)).trim();
  return {
    line: text.slice(0, start).split('\n').length,
    column: Array.from(text.slice(start, offset)).length + 1,
    excerpt: maskLongWords(escapeInvisible(excerpt, 'nothing')),
  };
}

/** What may be a key or a token must not travel into a terminal's history or a log. */
function maskLongWords(text: string): string {
  return text.replace(/[A-Za-z0-9_\-+=]{12,}/g, (word) => `${word.slice(0, 4)}…`);
}
