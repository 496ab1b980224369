/** Durations, sizes, money and times in the words of every page. */
/** "4 ms", "3.2 s" below ten seconds, then "0:14", "1:02:09". */
export function showDuration(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  if (ms < 995) return `${Math.round(ms)} ms`;
  return ms < 9_950 ? `${(ms / 1000).toFixed(1)} s` : showClock(ms);
}

/** "0:04": for what still counts up, so that it keeps its width. */
export function showClock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${twoDigits(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
}

/** "14 KB". */
export function showBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit] ?? ''}`;
}

/** "$0.42"; an estimate of less than a cent keeps two digits that say something. */
export function showDollars(dollars: number): string {
  if (dollars === 0 || dollars >= 0.01) return `$${dollars.toFixed(2)}`;
  return dollars < 0.000_05 ? '<$0.0001' : `$${dollars.toFixed(4)}`;
}

/** "4.1k". */
export function showTokens(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(tokens < 99_950 ? 1 : 0)}k`;
}

/** A path under the home folder in its short form. */
export function showPath(path: string, home: string): string {
  if (home === '' || home === '/') return path;
  return path === home ? '~' : path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** The time of day as the browser's own settings show it. */
export const showTime = (atMs: number): string =>
  new Date(atMs).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
