/** The command line of find(1): where it starts, and what it runs for each file. */
import type { Field } from './expand-word.ts';
import type { Fields, Inner } from './inner-command.ts';

const runners = new Set(['-exec', '-execdir', '-ok', '-okdir']);

// More starting points than this, and `{}` is simply not known.
const maxStarts = 32;

/** The folders that are searched; the current one when none is named. */
export function findStarts(args: Fields): Fields {
  let index = 0;
  while (index < args.length) {
    const text = args[index]?.text;
    if (text === undefined) break;
    if (/^-[HLP]$|^-O\d*$/.test(text)) index += 1;
    else if (text === '-D') index += 2;
    else break;
  }
  const starts: (Field | undefined)[] = [];
  for (const field of args.slice(index)) {
    if (field !== undefined && /^[-(!,)]/.test(field.text)) break;
    starts.push(field);
  }
  const isElsewhere = args.some((field) => field === undefined || field.text === '-files0-from');
  if (isElsewhere) return [undefined];
  return starts.length === 0 ? [{ text: '.', isPattern: false }] : starts;
}

/** The commands behind `-exec` and its like. */
export function unwrapFind(args: Fields): Inner[] {
  const found = findStarts(args);
  // With -L or -follow the files may lie anywhere.
  const follows = args.some((field) => field?.text === '-L' || field?.text === '-follow');
  const starts = follows || found.length > maxStarts ? [undefined] : found;
  const inner: Inner[] = [];
  let fields: (Field | undefined)[] | undefined;
  let isMoved = false;
  for (const [index, field] of args.entries()) {
    if (fields === undefined) {
      if (field === undefined || !runners.has(field.text)) continue;
      fields = [];
      isMoved = field.text.endsWith('dir');
    } else if (field?.text === ';' || (field?.text === '+' && args[index - 1]?.text === '{}')) {
      inner.push({ kind: 'command', fields, change: { isMoved } });
      fields = undefined;
    } else for (const word of fillIn(field, starts)) fields.push(word);
  }
  if (fields !== undefined) inner.push({ kind: 'command', fields, change: { isMoved } });
  return inner;
}

/** `{}` becomes any file below the folders that are searched; inside a longer word it may become anything. */
function fillIn(word: Field | undefined, starts: Fields): Fields {
  if (word?.text !== '{}') return [word?.text.includes('{}') === true ? undefined : word];
  return starts.map((start) => {
    if (start === undefined) return undefined;
    return { text: start.text.endsWith('/') ? `${start.text}*` : `${start.text}/*`, isPattern: true };
  });
}
