/** Takes out of a git configuration the command-bearing entries that were not there before, and nothing else. */
import { type ConfigEntry, parseGitConfig } from './git-config-text.ts';
import { type ConfigPlace, isCommandBearing } from './git-command-keys.ts';

/** One entry as it stood, with the header it needs to be put back. Bytes as latin1. */
export type TakenEntry = { readonly key: string; readonly header: string; readonly text: string };

export type ConfigChange =
  /** Nothing that appeared runs anything. */
  | { readonly kind: 'tame' }
  | { readonly kind: 'edited'; readonly text: string; readonly taken: readonly TakenEntry[] }
  /** Git could not read it; what it would mean is not known. */
  | { readonly kind: 'unreadable' };

export function takeOutCommands(now: string, before: string | undefined, place: ConfigPlace): ConfigChange {
  const entries = parseGitConfig(now);
  if (entries === undefined) return { kind: 'unreadable' };
  const known = (parseGitConfig(before ?? '') ?? []).filter((entry) => isCommandBearing(entry, place));
  const bearing = entries.filter((entry) => isCommandBearing(entry, place));
  const left = [...known];
  const appeared = bearing.filter((entry) => !removeLike(left, entry));
  if (appeared.length === 0) return { kind: 'tame' };
  let text = '';
  let at = 0;
  for (const entry of appeared) {
    const old = left.findIndex((each) => each.key === entry.key);
    const replaced = old < 0 ? undefined : left.splice(old, 1)[0];
    text += now.slice(at, entry.start) + (replaced === undefined ? '' : oldLine(replaced, before ?? '', now, entry));
    at = entry.end;
  }
  text += now.slice(at);
  const taken = appeared.map((entry) => ({
    key: entry.key,
    header: entry.header,
    text: now.slice(entry.start, entry.end).trim(),
  }));
  return { kind: 'edited', text, taken };
}

/** The configuration with the entries again, at its end: of a single-valued key the last one counts. */
export function withEntries(config: string, taken: readonly TakenEntry[]): string {
  const gap = config === '' || config.endsWith('\n') ? '' : '\n';
  return config + gap + taken.map(({ header, text }) => `${header}\n\t${text}\n`).join('');
}

function removeLike(entries: ConfigEntry[], wanted: ConfigEntry): boolean {
  const at = entries.findIndex((entry) => entry.key === wanted.key && entry.value === wanted.value);
  if (at >= 0) entries.splice(at, 1);
  return at >= 0;
}

/** What stood there before comes back where its new value stood. */
function oldLine(old: ConfigEntry, before: string, now: string, entry: ConfigEntry): string {
  const text = before.slice(old.start, old.end);
  const needsEnd = now[entry.end - 1] === '\n' && !text.endsWith('\n');
  return needsEnd ? `${text}\n` : text;
}
