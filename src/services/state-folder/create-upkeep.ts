/** What lies where in the state folder, how large it is, and copies of it that a person asks for. */
import { cp, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { SetupFailure } from '../../contract/failure.ts';
import type { Storage } from '../../contract/storage.ts';
import type { Backup, StatePlace, Upkeep } from '../../contract/upkeep.ts';
import type { StateFolders } from './resolve-state-folders.ts';

type Places = Pick<StateFolders, 'databaseFile' | 'artifactsFolder' | 'settingsFile' | 'secretsFile' | 'backupFolder'>;

export type UpkeepParts = {
  readonly folders: Places;
  storage(): Promise<Pick<Storage, 'place' | 'upkeep'>>;
  readonly secrets: { describe(): Promise<string> };
};

const byHand = 'by-hand.';
const unfinished = '.unfinished-';

export function createUpkeep({ folders, storage, secrets }: UpkeepParts): Upkeep {
  return {
    async places() {
      const { place, upkeep } = await storage();
      const isOurs = upkeep() !== undefined;
      const [database, artifacts, settings, kept, backups] = await Promise.all([
        isOurs ? sumUp(place, `${place}-wal`, `${place}-shm`) : undefined,
        sumUp(folders.artifactsFolder),
        sumUp(folders.settingsFile),
        sumUp(folders.secretsFile),
        sumUp(folders.backupFolder),
      ]);
      return [
        shown('database', place, database),
        shown('artifacts', folders.artifactsFolder, artifacts),
        shown('settings', folders.settingsFile, settings),
        shown('secrets', await secrets.describe(), kept),
        shown('backups', folders.backupFolder, backups),
      ];
    },
    async list() {
      const copies = (await storage()).upkeep()?.copies ?? [];
      const names = await readdir(folders.backupFolder).catch(() => []);
      const wanted = [...copies, ...names.filter((name) => name.startsWith(byHand))];
      const found = await Promise.all(wanted.map((name) => describe(path.join(folders.backupFolder, name))));
      return found.filter((backup) => backup !== undefined).toSorted((one, other) => (one.at < other.at ? 1 : -1));
    },
    make: async () => makeBackup(folders, (await storage()).upkeep()?.copyTo),
  };
}

async function makeBackup(folders: Places, copyTo: ((file: string) => Promise<void>) | undefined): Promise<Backup> {
  if (copyTo === undefined)
    throw new SetupFailure('The database is a Postgres server, whose owner makes its backups: pg_dump copies it.');
  const name = `${byHand}${new Date().toISOString().replaceAll(':', '-')}`;
  const [target, made] = [path.join(folders.backupFolder, name), path.join(folders.backupFolder, unfinished + name)];
  try {
    await mkdir(made, { recursive: true, mode: 0o700 });
    await copyTo(path.join(made, path.basename(folders.databaseFile)));
    await copyWhole(folders.settingsFile, made);
    await copyWhole(folders.artifactsFolder, made);
    // Whole or not at all: a program that is killed leaves nothing that looks like a backup.
    await rename(made, target);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new SetupFailure(
      `No backup could be made in ${folders.backupFolder} (${code}). Make room there, or make it writable for you.`,
      { cause: error },
    );
  }
  const backup = await describe(target);
  if (backup === undefined) throw new SetupFailure(`${target} is gone already. Make another backup.`);
  return backup;
}

/** What is not there yet needs no copy. */
async function copyWhole(from: string, folder: string): Promise<void> {
  const target = path.join(folder, path.basename(from));
  await cp(from, target, { recursive: true, errorOnExist: true, verbatimSymlinks: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
}

/** Undefined: it went away meanwhile. */
async function describe(file: string): Promise<Backup | undefined> {
  const facts = await lstat(file).catch(() => undefined);
  if (facts === undefined) return undefined;
  const name = path.basename(file);
  return {
    ...{ name, path: file },
    kind: name.startsWith(byHand) ? 'by-hand' : 'migration',
    at: timeOf(name) ?? facts.mtime.toISOString(),
    bytes: (await sumUp(file)) ?? 0,
  };
}

/** Of the name, in which colons became hyphens. */
function timeOf(name: string): string | undefined {
  const [, day = '', hour = '', minute = '', second = ''] =
    /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d(?:\.\d+)?)Z$/.exec(name) ?? [];
  return day === '' ? undefined : `${day}T${hour}:${minute}:${second}Z`;
}

const shown = (kind: StatePlace['kind'], place: string, bytes: number | undefined): StatePlace => ({
  ...{ kind, place },
  ...(bytes === undefined ? {} : { bytes }),
});

/** Of files and folders with all that is in them; undefined when none of them is there. */
async function sumUp(...files: readonly string[]): Promise<number | undefined> {
  const sizes = await Promise.all(files.map(sizeOf));
  const known = sizes.filter((size) => size !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, size) => sum + size, 0);
}

async function sizeOf(file: string): Promise<number | undefined> {
  const facts = await lstat(file).catch(() => undefined);
  if (facts === undefined || !facts.isDirectory()) return facts?.size;
  const names = await readdir(file).catch(() => []);
  let bytes = 0;
  for (const name of names) bytes += (await sizeOf(path.join(file, name))) ?? 0;
  return bytes;
}
