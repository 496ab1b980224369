/** Keys that a phone's keyboard does not have. */
import type { KeyboardEvent } from 'react';
import { useWords } from '../../words/use-words.ts';
import type { WordKey } from '../../words/words.ts';

const keys: readonly (readonly [key: string, text: string, name?: WordKey])[] = [
  ['esc', 'Esc'],
  ['tab', 'Tab'],
  ['control', 'Ctrl'],
  ['up', '↑', 'terminal.up'],
  ['down', '↓', 'terminal.down'],
  ['left', '←', 'terminal.left'],
  ['right', '→', 'terminal.right'],
  ['|', '|', 'terminal.pipe'],
];

export function KeyRow({
  hasControl,
  toggleControl,
  press,
}: {
  readonly hasControl: boolean;
  readonly toggleControl: () => void;
  readonly press: (key: string) => void;
}) {
  const { t } = useWords();
  return (
    <div className="keys" role="toolbar" aria-label={t('terminal.keys')} onKeyDown={moveBetween}>
      {keys.map(([key, text, name], at) => (
        <button
          key={key}
          type="button"
          className="btn"
          tabIndex={at === 0 ? 0 : -1}
          aria-label={name === undefined ? undefined : t(name)}
          aria-pressed={key === 'control' ? hasControl : undefined}
          // The terminal keeps the focus, and a phone its keyboard.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => (key === 'control' ? toggleControl() : press(key))}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

/** WAI-ARIA's pattern for toolbars. */
function moveBetween(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button')];
  const at = all.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  all.at(to === all.length ? 0 : to)?.focus();
}
