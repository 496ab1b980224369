/** A terminal on the page: xterm over a socket. Loaded when the first one is shown. */
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import type { WebTerminal } from '../../../contract/web-terminals.ts';
import { connectTerminal, type TerminalLink } from './connect-terminal.ts';
import { createStrictStyles } from './strict-styles.ts';
import { readTheme } from './terminal-theme.ts';

export type Screen = {
  /** What a key of the row below it stands for. */
  press(key: string): void;
  focus(): void;
  /** All that can be scrolled to, as text. */
  text(): string;
  close(): void;
};

export type ScreenOptions = {
  readonly host: HTMLElement;
  /** What is spoken of it. */
  readonly label: string;
  readonly isTouch: boolean;
  /** Opens the terminal, or finds it, in this size. */
  readonly open: (size: { readonly columns: number; readonly rows: number }) => Promise<WebTerminal>;
  /** The next key is pressed with Ctrl. */
  readonly takeControl: () => boolean;
  readonly onState: (state: 'open' | 'lost' | { readonly exitCode: number | null }) => void;
  /** The keys that leave it were pressed. */
  readonly onLeave: () => void;
};

/** Rejects when the terminal cannot be opened. */
export async function openScreen(options: ScreenOptions): Promise<Screen> {
  const { takeControl } = options;
  const { terminal, fit, end } = draw(options);
  const place = await options.open({ columns: terminal.cols, rows: terminal.rows }).catch((error: unknown) => {
    end();
    throw error;
  });
  const link = join(terminal, place, options);
  const type = (text: string): void => link.type(new TextEncoder().encode(text));
  terminal.onData((text) => {
    // Fitted again: whoever types sees all of it.
    fit.fit();
    type(takeControl() ? withControl(text) : text);
  });
  terminal.onBinary((text) => link.type(Uint8Array.from(text, (character) => character.charCodeAt(0))));
  return {
    press(key) {
      type(keyText(key, terminal.modes.applicationCursorKeysMode, takeControl()));
      terminal.focus();
    },
    focus: () => terminal.focus(),
    text: () => readText(terminal),
    close() {
      link.close();
      end();
    },
  };
}

/** Empty, and as large as there is room for. */
function draw(options: ScreenOptions) {
  const { host } = options;
  const strict = createStrictStyles(document);
  const terminal = new Terminal({
    allowProposedApi: false,
    screenReaderMode: true,
    cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    fontFamily: getComputedStyle(host).getPropertyValue('--mono').trim(),
    fontSize: options.isTouch ? 12 : 13,
    lineHeight: 1.3,
    scrollback: 5_000,
    minimumContrastRatio: 4.5,
    theme: readTheme(host),
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  strict.open(terminal, host);
  terminal.textarea?.setAttribute('aria-label', options.label);
  terminal.attachCustomKeyEventHandler((event) => handleKey(event, terminal, options));
  const resizes = new ResizeObserver(() => fit.fit());
  fit.fit();
  resizes.observe(host);
  const watchers = new AbortController();
  followTheme(terminal, host, watchers.signal);
  const end = (): void => {
    watchers.abort();
    resizes.disconnect();
    terminal.dispose();
    strict.close();
  };
  return { terminal, fit, end };
}

/** What comes is drawn, and what was drawn is confirmed. */
function join(terminal: Terminal, place: WebTerminal, { onState }: ScreenOptions): TerminalLink {
  let seen = 0;
  let isTold = false;
  const sendSize = (): void => link.say({ type: 'size', columns: terminal.cols, rows: terminal.rows });
  const link = connectTerminal(place, {
    onState(state) {
      onState(state);
      if (state === 'open') sendSize();
    },
    onBytes(bytes) {
      terminal.write(bytes, () => {
        seen += bytes.length;
        link.say({ type: 'seen', bytes: seen });
      });
    },
    onMessage(message) {
      if (message.type === 'exit') return onState({ exitCode: message.exitCode });
      if (message.type === 'begin') {
        // Behind what is still to be drawn.
        terminal.write('', () => {
          terminal.reset();
          seen = 0;
        });
        return undefined;
      }
      // Another page has the say: it is drawn as that one sees it.
      isTold = true;
      terminal.resize(message.columns, message.rows);
      isTold = false;
      return undefined;
    },
  });
  terminal.onResize(() => {
    if (!isTold) sendSize();
  });
  return link;
}

/** False: the terminal does not get it. Copying needs a Shift, since Ctrl C belongs to the program. */
function handleKey(event: KeyboardEvent, terminal: Terminal, { onLeave }: ScreenOptions): boolean {
  if (event.type !== 'keydown' || !event.ctrlKey) return true;
  if (event.shiftKey && event.key === 'Escape') {
    event.preventDefault();
    onLeave();
    return false;
  }
  // The page's own: it closes the sandbox.
  if (event.key === '`') return false;
  if (event.shiftKey && event.code === 'KeyC' && terminal.hasSelection()) {
    event.preventDefault();
    void navigator.clipboard.writeText(terminal.getSelection());
    return false;
  }
  // The browser pastes by itself.
  return !(event.shiftKey && event.code === 'KeyV');
}

function followTheme(terminal: Terminal, host: HTMLElement, signal: AbortSignal): void {
  const apply = (): void => {
    terminal.options.theme = readTheme(host);
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply, { signal });
  const chosen = new MutationObserver(apply);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  signal.addEventListener('abort', () => chosen.disconnect());
}

function readText(terminal: Terminal): string {
  const { active } = terminal.buffer;
  const lines: string[] = [];
  for (let at = 0; at < active.length; at += 1) {
    const line = active.getLine(at);
    const text = line?.translateToString(true) ?? '';
    if (line?.isWrapped === true) lines.push(`${lines.pop() ?? ''}${text}`);
    else lines.push(text);
  }
  return lines.join('\n').trimEnd();
}

/** As keyboards do it: the letter without its two highest bits. */
const withControl = (text: string): string =>
  text.length === 1 && /[@-_a-z]/.test(text) ? String.fromCharCode(text.toUpperCase().charCodeAt(0) & 0x1f) : text;

const arrows: Readonly<Record<string, string>> = { up: 'A', down: 'B', right: 'C', left: 'D' };

/** xterm's control sequences, "PC-Style Function Keys". */
function keyText(key: string, isApplication: boolean, isControl: boolean): string {
  const arrow = arrows[key];
  if (arrow !== undefined) return isControl ? `\u001b[1;5${arrow}` : `\u001b${isApplication ? 'O' : '['}${arrow}`;
  if (key === 'esc') return '\u001b';
  if (key === 'tab') return '\t';
  return key;
}
