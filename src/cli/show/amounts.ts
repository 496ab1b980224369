/** Durations, sizes and counts in the words of every screen. */

/** "0.02 s" below ten seconds, then "0:14", "1:02:09". */
export function showDuration(milliseconds: number): string {
  if (milliseconds < 9_950) return `${(Math.max(0, milliseconds) / 1000).toFixed(milliseconds < 995 ? 2 : 1)} s`;
  return showClock(milliseconds);
}

/** "0:04": for what still counts up, so that it keeps its width. */
export function showClock(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${twoDigits(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
}

/** "1,204". */
export function showCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** "1 line", "3 lines". */
export function showCounted(count: number, one: string, many = `${one}s`): string {
  return `${showCount(count)} ${count === 1 ? one : many}`;
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

/** "4.1k tokens". */
export function showTokens(tokens: number): string {
  return tokens < 1000 ? `${tokens} tokens` : `${(tokens / 1000).toFixed(tokens < 99_950 ? 1 : 0)}k tokens`;
}

/** A path under the home folder in its short form. */
export function showPath(path: string, home: string | undefined): string {
  if (home === undefined || home === '' || home === '/') return path;
  return path === home ? '~' : path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
