/** What was sent before, walked through with up and down; the unsent text waits at the end. */

export type InputHistory = {
  /** Oldest first. */
  readonly entries: readonly string[];
  /** Which entry is shown; `entries.length` means the user's own unsent text. */
  readonly at: number;
  readonly unsent: string;
};

const mostEntries = 500;

export function historyOf(entries: readonly string[]): InputHistory {
  const kept = entries.filter((each, index) => each.trim() !== '' && each !== entries[index - 1]).slice(-mostEntries);
  return { entries: kept, at: kept.length, unsent: '' };
}

export function addToHistory(history: InputHistory, text: string): InputHistory {
  return historyOf([...history.entries, text]);
}

/** The text to show instead of `current`; undefined when there is none in that direction. */
export function walkHistory(
  history: InputHistory,
  step: -1 | 1,
  current: string,
): { readonly history: InputHistory; readonly text: string } | undefined {
  const at = history.at + step;
  if (at < 0 || at > history.entries.length) return undefined;
  const unsent = history.at === history.entries.length ? current : history.unsent;
  return {
    history: { ...history, at, unsent },
    text: at === history.entries.length ? unsent : (history.entries[at] ?? ''),
  };
}
