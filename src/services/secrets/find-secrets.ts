/**
 * Finds secrets in a text, in one pass: three characters at a time tell whether one may begin here, and only then a regular
 * expression looks. Its time is linear, and ordinary text costs next to nothing.
 */
import { escapeRegex } from '../../base/escape-regex.ts';
import {
  addressForm,
  announcements,
  assignedForm,
  headerForm,
  isPlausible,
  keyForms,
  privateKeyForm,
  telegramForm,
} from './key-forms.ts';

export type Found = { readonly start: number; readonly end: number };

/** In order, apart from one another. */
export type FindSecrets = (text: string) => readonly Found[];

/** 16 bits of three characters; others that share them cost a look, nothing else. */
const places = 0x10000;
const placeOf = (first: number, second: number, third: number): number =>
  ((first << 11) ^ (second << 5) ^ third) & (places - 1);

export function createFindSecrets(known: readonly string[]): FindSecrets {
  const mayBegin = new Uint8Array(places);
  const starts = keyForms.flatMap((form) => form.starts);
  for (const start of [...known, ...starts, ...announcements, '-----BEGIN ', '://', ':AA']) {
    mayBegin[placeOf(start.charCodeAt(0), start.charCodeAt(1), start.charCodeAt(2))] = 1;
  }
  const pattern = makePattern(known);
  return (text) => {
    const found: Found[] = [];
    let first = text.charCodeAt(0);
    let second = text.charCodeAt(1);
    let skipTo = 0;
    for (let at = 0; at + 2 < text.length; at += 1) {
      const third = text.charCodeAt(at + 2);
      const isCandidate = mayBegin[placeOf(first, second, third)] === 1;
      first = second;
      second = third;
      // What was hidden before is no name with a value.
      if (!isCandidate || at < skipTo || text.startsWith('[secret:', at - 1)) continue;
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (match === null) continue;
      const secret = secretOf(match);
      if (isSecret(match, secret)) found.push({ start: pattern.lastIndex - secret.length, end: pattern.lastIndex });
      // A name may stand before a name with a value; what only looks like a key holds none.
      else if (match.groups?.['assigned'] !== undefined) continue;
      skipTo = pattern.lastIndex;
    }
    return text.includes(keyEnd) ? withCutKey(text, found) : found;
  };
}

function makePattern(known: readonly string[]): RegExp {
  // The longest first: one value may begin with another.
  const longestFirst = known.toSorted((one, other) => other.length - one.length).map(escapeRegex);
  const tokens = keyForms.flatMap(({ starts, rest }) =>
    starts.map((start) => `(?<![A-Za-z0-9_-])${escapeRegex(start)}${rest}`),
  );
  const values = longestFirst.length === 0 ? [] : [`(?<known>${longestFirst.join('|')})`];
  const forms = [...values, privateKeyForm, addressForm, telegramForm, headerForm, assignedForm, ...tokens];
  return new RegExp(forms.join('|'), 'y');
}

const secretOf = ({ groups = {}, 0: whole }: RegExpExecArray): string =>
  groups['known'] ?? groups['value'] ?? groups['header'] ?? groups['assigned'] ?? whole;

function isSecret({ groups = {} }: RegExpExecArray, secret: string): boolean {
  if (groups['known'] !== undefined || groups['value'] !== undefined) return !secret.startsWith('[secret:');
  if (groups['assigned'] !== undefined) return isPlausible(secret, groups['quote'] !== undefined);
  // Words joined by dashes look like some keys: only a digit tells.
  return /[0-9]/.test(secret);
}

const keyEnd = 'PRIVATE KEY-----';
const longestKeyChars = 20_000;
const longestMarkerChars = 60;

/** The end of a private key whose beginning was cut off. */
function withCutKey(text: string, found: Found[]): readonly Found[] {
  for (let at = text.indexOf(keyEnd); at >= 0; at = text.indexOf(keyEnd, at + keyEnd.length)) {
    const marker = text.slice(Math.max(0, at - longestMarkerChars), at).lastIndexOf('-----END ');
    if (marker < 0) continue;
    const end = Math.max(0, at - longestMarkerChars) + marker;
    const after = found.findLast((each) => each.start < end)?.end ?? 0;
    const start = startOfBody(text, Math.max(after, end - longestKeyChars), end);
    if (end - start >= 24) found.push({ start, end });
  }
  return found.toSorted((one, other) => one.start - other.start);
}

function startOfBody(text: string, from: number, end: number): number {
  let start = end;
  while (start > from && /[A-Za-z0-9+/=\\\s"',|>]/.test(text.charAt(start - 1))) start -= 1;
  return start;
}
