/**
 * What is typed into a terminal, as callers write it: plain text, and keys by name in angle brackets (`<enter>`, `<ctrl-c>`,
 * `<up>`). Anything else in angle brackets is text; `<lt>` stands for `<` where a name follows that is meant as text.
 */

export type Typed =
  | { readonly kind: 'text'; readonly text: string }
  /** One of `namedKeys`, `f1` to `f12`, or `ctrl-`, `alt-`, `shift-` before a character or a named key. */
  | { readonly kind: 'key'; readonly name: string };

const namedKeys = new Set([
  ...['enter', 'tab', 'esc', 'space', 'backspace', 'delete', 'insert', 'up', 'down', 'left', 'right', 'home', 'end'],
  ...['pageup', 'pagedown', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7', 'f8', 'f9', 'f10', 'f11', 'f12'],
]);

const otherNames: Readonly<Record<string, string>> = {
  return: 'enter',
  cr: 'enter',
  escape: 'esc',
  bs: 'backspace',
  del: 'delete',
  ins: 'insert',
  pgup: 'pageup',
  pgdn: 'pagedown',
  pgdown: 'pagedown',
};

const keyPattern = /<([a-z0-9]+|(?:ctrl|c|alt|m|shift|s)[-+](?:[a-z0-9]+|[!-~]))>/gi;

/** The same byte on every terminal (ASCII). */
const sameAs: Readonly<Record<string, string>> = {
  'ctrl-j': 'enter',
  'ctrl-m': 'enter',
  'ctrl-i': 'tab',
  'ctrl-h': 'backspace',
  'ctrl-[': 'esc',
};

/** Total: every text means something. Control characters are the keys that send them. */
export function readTyped(input: string): readonly Typed[] {
  const typed: Typed[] = [];
  let from = 0;
  for (const match of input.matchAll(keyPattern)) {
    const meant = keyNamed(match[1] ?? '');
    if (meant === undefined) continue;
    addText(typed, input.slice(from, match.index));
    typed.push(meant);
    from = match.index + match[0].length;
  }
  addText(typed, input.slice(from));
  return typed;
}

function keyNamed(written: string): Typed | undefined {
  const name = written.toLowerCase();
  if (name === 'lt') return { kind: 'text', text: '<' };
  if (name === 'gt') return { kind: 'text', text: '>' };
  const plain = otherNames[name] ?? name;
  if (namedKeys.has(plain)) return plain === 'space' ? { kind: 'text', text: ' ' } : { kind: 'key', name: plain };
  const [, modifier = '', rest = ''] = /^(ctrl|c|alt|m|shift|s)[-+](.+)$/.exec(name) ?? [];
  if (rest === '') return undefined;
  const inner = otherNames[rest] ?? rest;
  if (inner.length > 1 && !namedKeys.has(inner)) return undefined;
  const first = modifier[0] === 'c' ? 'ctrl' : modifier[0] === 's' ? 'shift' : 'alt';
  if (first === 'ctrl' && inner.length === 1 && !/[a-z@[\\\]^_?]/.test(inner)) return undefined;
  // The letter of Alt may be a capital one.
  const exact = first === 'alt' && inner.length === 1 ? written.slice(-1) : inner;
  const whole = `${first}-${exact}`;
  return { kind: 'key', name: sameAs[whole] ?? whole };
}

/** C0 control characters and DEL. */
const isControl = (character: string): boolean => character < ' ' || character === '\x7f';

function addText(typed: Typed[], text: string): void {
  let plain = '';
  const flush = (): void => {
    if (plain !== '') typed.push({ kind: 'text', text: plain });
    plain = '';
  };
  for (const character of text.replaceAll('\r\n', '\n')) {
    if (isControl(character)) {
      flush();
      typed.push({ kind: 'key', name: controlName(character) });
    } else {
      plain += character;
    }
  }
  flush();
}

function controlName(character: string): string {
  switch (character) {
    case '\n':
    case '\r':
      return 'enter';
    case '\t':
      return 'tab';
    case '\x1b':
      return 'esc';
    case '\b':
    case '\x7f':
      return 'backspace';
    default:
      return `ctrl-${String.fromCharCode(character.charCodeAt(0) + 64).toLowerCase()}`;
  }
}
