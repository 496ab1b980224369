/** The terminal's colours, from the tokens as they are now. */
import type { ITheme } from '@xterm/xterm';

export function readTheme(element: Element): ITheme {
  const styles = getComputedStyle(element);
  const token = (name: string): string => styles.getPropertyValue(name).trim();
  const [text, muted, red, green] = [token('--text'), token('--text-2'), token('--bad'), token('--syn-str')];
  const [yellow, blue, magenta, cyan] = [token('--ask'), token('--syn-fn'), token('--syn-key'), token('--accent')];
  return {
    background: token('--surface'),
    foreground: text,
    cursor: cyan,
    cursorAccent: token('--on-accent'),
    selectionBackground: token('--accent-line'),
    scrollbarSliderBackground: token('--surface-3'),
    scrollbarSliderHoverBackground: token('--line-control'),
    scrollbarSliderActiveBackground: token('--line-control'),
    ...{ black: token('--surface-3'), brightBlack: muted, white: muted, brightWhite: text },
    ...{ red, green, yellow, blue, magenta, cyan },
    ...{ brightRed: red, brightGreen: green, brightYellow: yellow },
    ...{ brightBlue: blue, brightMagenta: magenta, brightCyan: cyan },
  };
}
