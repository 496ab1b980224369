/** What a terminal sends for a key (xterm's control sequences, "PC-Style Function Keys"). */
import type { Typed } from '../../base/typed-keys.ts';

const plainKeys: Readonly<Record<string, string>> = {
  enter: '\r',
  tab: '\t',
  esc: '\x1b',
  backspace: '\x7f',
  'shift-tab': '\x1b[Z',
  f1: '\x1bOP',
  f2: '\x1bOQ',
  f3: '\x1bOR',
  f4: '\x1bOS',
};

/** Keys whose sequence begins alike with every modifier: letter or number of the final part. */
const cursorKeys: Readonly<Record<string, string>> = {
  up: 'A',
  down: 'B',
  right: 'C',
  left: 'D',
  home: 'H',
  end: 'F',
};
const numberedKeys: Readonly<Record<string, number>> = {
  ...{ insert: 2, delete: 3, pageup: 5, pagedown: 6, f1: 11, f2: 12, f3: 13, f4: 14, f5: 15, f6: 17, f7: 18, f8: 19 },
  ...{ f9: 20, f10: 21, f11: 23, f12: 24 },
};
const modifierNumbers: Readonly<Record<string, number>> = { shift: 2, alt: 3, ctrl: 5 };

/** `applicationCursorKeys`: DECCKM, which full-screen programs set. */
export function bytesOf(typed: readonly Typed[], applicationCursorKeys: boolean): string {
  return typed.map((each) => (each.kind === 'text' ? each.text : keyBytes(each.name, applicationCursorKeys))).join('');
}

function keyBytes(name: string, applicationCursorKeys: boolean): string {
  const plain = plainKeys[name];
  if (plain !== undefined) return plain;
  const cursor = cursorKeys[name];
  if (cursor !== undefined) return `\x1b${applicationCursorKeys ? 'O' : '['}${cursor}`;
  const numbered = numberedKeys[name];
  if (numbered !== undefined) return `\x1b[${numbered}~`;
  const [, modifier = '', inner = ''] = /^(ctrl|alt|shift)-([\s\S]+)$/.exec(name) ?? [];
  const number = modifierNumbers[modifier] ?? 1;
  const modifiedCursor = cursorKeys[inner];
  if (modifiedCursor !== undefined) return `\x1b[1;${number}${modifiedCursor}`;
  const modifiedNumbered = numberedKeys[inner];
  if (modifiedNumbered !== undefined) return `\x1b[${modifiedNumbered};${number}~`;
  if (modifier === 'ctrl' && inner.length === 1) return controlCharacter(inner);
  if (modifier === 'alt') return `\x1b${plainKeys[inner] ?? inner}`;
  return plainKeys[inner] ?? inner;
}

/** ASCII: the letter's code without its upper three bits; Ctrl-? is DEL. */
function controlCharacter(letter: string): string {
  return letter === '?' ? '\x7f' : String.fromCharCode(letter.toUpperCase().charCodeAt(0) & 0x1f);
}
