/** Keys as the chat understands them, whatever chunks the terminal sends them in. */
import type { Key } from 'ink';

export type KeyName =
  | 'text'
  | 'enter'
  | 'escape'
  | 'tab'
  | 'backspace'
  | 'delete'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'page-up'
  | 'page-down'
  | 'control';

/** `text`: what was typed; for 'control' the letter held with Ctrl. */
export type KeyPress = {
  readonly name: KeyName;
  readonly text: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
};

export function keyPress(name: KeyName, held: Partial<Omit<KeyPress, 'name'>> = {}): KeyPress {
  return { name, text: '', ctrl: false, alt: false, shift: false, ...held };
}

/** One chunk may hold several keys: fast typing, a script, a slow connection. Pasted text comes another way. */
export function keyPressesOf(input: string, key: Key): readonly KeyPress[] {
  const held = { ctrl: key.ctrl, alt: key.meta && !key.escape, shift: key.shift };
  const name = namedKey(key);
  if (name !== undefined) return [keyPress(name, held)];
  if (key.ctrl && input.length === 1) return [keyPress('control', { ...held, text: input.toLowerCase() })];
  return splitText(input, held);
}

function namedKey(key: Key): KeyName | undefined {
  if (key.return) return 'enter';
  if (key.escape) return 'escape';
  if (key.tab) return 'tab';
  if (key.backspace) return 'backspace';
  if (key.delete) return 'delete';
  if (key.upArrow) return 'up';
  if (key.downArrow) return 'down';
  if (key.leftArrow) return 'left';
  if (key.rightArrow) return 'right';
  if (key.home) return 'home';
  if (key.end) return 'end';
  if (key.pageUp) return 'page-up';
  return key.pageDown ? 'page-down' : undefined;
}

function splitText(input: string, held: Partial<KeyPress>): readonly KeyPress[] {
  // eslint-disable-next-line no-control-regex
  return (input.match(/[\u0000-\u001f\u007f]|[^\u0000-\u001f\u007f]+/g) ?? []).map((part) => {
    if (part === '\r' || part === '\n') return keyPress('enter', held);
    if (part === '\t') return keyPress('tab', held);
    if (part === '\u001b') return keyPress('escape');
    if (part === '\b' || part === '\u007f') return keyPress('backspace', held);
    const code = part.codePointAt(0) ?? 0;
    if (code < 0x20) return keyPress('control', { ...held, ctrl: true, text: String.fromCodePoint(code + 0x60) });
    return keyPress('text', { ...held, text: part });
  });
}
