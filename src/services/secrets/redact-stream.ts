/** Redacts a text that comes in pieces cut anywhere: what may be the beginning of a secret waits until it is clear. */
import { escapeRegex } from '../../base/escape-regex.ts';
import type { StreamRedaction } from '../../contract/redaction.ts';
import type { FindSecrets, Found } from './find-secrets.ts';
import { announcements, keyForms } from './key-forms.ts';
import { createOverlapAtEnd } from './overlap-at-end.ts';

export type StreamParts = {
  redact(text: string): string;
  readonly find: FindSecrets;
  /** How many characters at the end may be the beginning of a known value. */
  mayBegin(text: string): number;
};

/** Nothing that is told by its form is longer, private keys apart. */
const maxHeldChars = 4_096;
const maxKeyChars = 16_384;

const markers = ['-----BEGIN ', '://', ':AA'];
const keyStarts = keyForms.flatMap((form) => form.starts);
const lowerCase = [...new Set(announcements.map((word) => word.toLowerCase()))];
const escaped = [...keyStarts, ...markers].map((start) => escapeRegex(start)).join('|');
const words = announcements.join('|');
/** A key, an address, or a name with what may become its value, reaching to the end of the text. */
const openForm = new RegExp(
  `(?:${escaped})[^\\s"'<>\`]*$|(?:${words})\\\\*["']?\\s{0,3}(?:=>?|:)?\\s{0,3}\\\\*["'\`]?[^\\s"'\`<>(){}\\[\\],;]*$`,
  'i',
);

export function startStream(parts: StreamParts, held = ''): StreamRedaction {
  return {
    next(piece) {
      const whole = held + piece;
      const found = parts.find(whole);
      const end = besideSecrets(found, whole.length - openChars(parts, whole));
      const clear = whole.slice(0, end);
      return { text: found.length === 0 ? clear : parts.redact(clear), after: startStream(parts, whole.slice(end)) };
    },
    waits: held !== '',
    rest: () => parts.redact(held),
  };
}

/** What is whole stays whole, also where its end could be the beginning of something else. */
const besideSecrets = (found: readonly Found[], end: number): number =>
  found.find((each) => each.start < end && end < each.end)?.start ?? end;

/** How many characters at the end must wait. */
function openChars(parts: StreamParts, whole: string): number {
  const keyStart = whole.lastIndexOf('-----BEGIN ');
  const isKeyOpen = keyStart >= 0 && !/-----END [A-Z0-9 ]{0,40}-----/.test(whole.slice(keyStart));
  const keyChars = isKeyOpen && whole.length - keyStart <= maxKeyChars ? whole.length - keyStart : 0;
  const tail = whole.slice(-maxHeldChars);
  const form = openForm.exec(tail);
  const formChars = form === null || (form.index === 0 && whole.length > maxHeldChars) ? 0 : tail.length - form.index;
  return Math.max(keyChars, formChars, parts.mayBegin(whole), beginningChars(tail));
}

const inWords = lowerCase.map(createOverlapAtEnd);
const inStarts = keyStarts.map(createOverlapAtEnd);
const inMarkers = markers.map(createOverlapAtEnd);

/** The first letters of a form, at a place where one may begin: in the middle of a word only after a few of them. */
function beginningChars(tail: string): number {
  const lower = tail.slice(-40).toLowerCase();
  const ofWords = inWords.map((overlap) => overlap(lower)).filter((length) => length > 2 || isStart(tail, length));
  const ofStarts = inStarts.map((overlap) => overlap(tail)).filter((length) => isStart(tail, length));
  return Math.max(0, ...ofWords, ...ofStarts, ...inMarkers.map((overlap) => overlap(tail)));
}

function isStart(tail: string, length: number): boolean {
  const before = tail.at(-length - 1) ?? ' ';
  return !/[A-Za-z0-9]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(tail.at(-length) ?? ''));
}
