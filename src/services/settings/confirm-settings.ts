/**
 * Settings that weaken the rail or name a program count only after the user said yes in a face: whoever managed to write
 * settings.json must not have opened anything by that alone. What the first command runs with is the user's own choice; what
 * was confirmed last is kept beside the database, where no command can write.
 */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Confirmations } from '../../contract/handrail.ts';
import { SetupFailure, ToolFailure } from '../../contract/failure.ts';
import type { Settings } from '../../contract/settings.ts';
import { defaultSettings } from './default-settings.ts';
import { guardedKeys } from './guarded-keys.ts';
import { type LoadedSettings, loadSettings } from './load-settings.ts';
import { isSameValue } from './weigh-change.ts';

/** By the guarded keys' names. */
type Note = Readonly<Record<string, unknown>>;

export type ConfirmedSettings = LoadedSettings & {
  readonly confirmations: Confirmations;
  /** Why the defaults stand in for settings that cannot be used. */
  readonly failure?: string;
};

/** Of what was confirmed last, in the data folder. */
export const confirmedName = 'confirmed.json';

type Place = { readonly settingsFile: string; readonly data: string };

/** Rejects with SetupFailure as loadSettings does, unless `onlyLooks`: then the defaults stand in, and the problem is told. */
export async function loadConfirmedSettings(place: Place, onlyLooks = false): Promise<ConfirmedSettings> {
  const loaded: LoadedSettings & { failure?: string } = await loadSettings(place.settingsFile).catch(
    (error: unknown) => {
      if (!onlyLooks || !(error instanceof SetupFailure)) throw error;
      return { settings: defaultSettings, problems: [], failure: error.message };
    },
  );
  const wanted = loaded.settings;
  const file = join(place.data, confirmedName);
  const note = readNote(file);
  // Before the first command there is nothing that a change could weaken: `trust` is told of it.
  const { settings, kept, changes } = weighAll(wanted, loaded.failure === undefined ? (note ?? {}) : {});
  if (note !== undefined && !onlyLooks && !isSameValue(note, kept)) keepQuietly(file, kept);
  const asked = Object.fromEntries(guardedKeys.map(({ name, read }) => [name, read(wanted)]));
  let pending = changes.map(
    (change) => `settings.json ${change}; that is not in force until you confirm it: handrail confirm`,
  );
  return {
    ...loaded,
    settings,
    confirmations: {
      pending: () => pending,
      trust: () => readNote(file) ?? keepQuietly(file, kept),
      hash: () => hashOf(asked),
      confirm(shown) {
        if (shown !== undefined && shown !== hashOf(asked))
          throw new ToolFailure(
            'conflict',
            'The settings were changed meanwhile. Look at what waits now, then confirm it.',
          );
        keep(file, asked);
        pending = [];
      },
    },
  };
}

const hashOf = (asked: Note): string => createHash('sha256').update(JSON.stringify(asked)).digest('hex');

function weighAll(wanted: Settings, note: Note) {
  let settings = wanted;
  const kept: Record<string, unknown> = {};
  const changes: string[] = [];
  for (const { name, weigh } of guardedKeys) {
    const weighed = weigh(settings, wanted, note[name]);
    settings = weighed.settings;
    kept[name] = weighed.kept;
    if (weighed.change !== undefined) changes.push(weighed.change);
  }
  return { settings, kept, changes };
}

/** Undefined when nothing was kept yet. One that cannot be read confirms nothing. */
function readNote(file: string): Note | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value === 'object' && value !== null) return value as Note;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  }
  return Object.fromEntries(guardedKeys.map(({ name }) => [name, null]));
}

function keepQuietly(file: string, note: Note): void {
  try {
    keep(file, note);
  } catch {
    // A full or read-only disk keeps nobody from working: what is in force is then decided again at the next start.
  }
}

function keep(file: string, note: Note): void {
  try {
    writeFileSync(`${file}.${process.pid}`, `${JSON.stringify(note)}\n`, { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new SetupFailure(`${file} cannot be written (${code}): free some space there, then confirm again.`);
  }
}
