/** Prepares the /etc of the sandbox: one folder of ours, made once, renewed when the machine's own entries change. */
import { createHash } from 'node:crypto';
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type Accounts,
  boundEntries,
  copiedEntries,
  groupText,
  hostName,
  hostsText,
  isJavaFolder,
  passwdText,
} from './etc-entries.ts';

export type EtcFolder = {
  readonly folder: string;
  /** Names below /etc to bind on top, each an existing entry of the machine. */
  readonly bound: readonly string[];
};

export type EtcRequest = {
  /** Private to us; commands never see it under its own name. */
  readonly parent: string;
  readonly accounts: Accounts;
  readonly sharesNetwork: boolean;
  /** Default /etc. */
  readonly machineEtc?: string;
};

const keptForMs = 24 * 60 * 60 * 1000;

export async function prepareEtcFolder(request: EtcRequest): Promise<EtcFolder> {
  const machineEtc = request.machineEtc ?? '/etc';
  const java = (await readdir(machineEtc)).filter(isJavaFolder);
  const copied = await publicEntries(machineEtc, copiedEntries);
  const bound = (await publicEntries(machineEtc, [...boundEntries, ...java])).map((entry) => entry.name);
  const written = await writtenFiles(request, machineEtc);
  const stamp = createHash('sha256')
    .update(JSON.stringify([2, copied, bound, written]))
    .digest('hex')
    .slice(0, 24);
  const folder = join(request.parent, `etc-${stamp}`);
  if (!(await exists(folder))) {
    await mkdir(request.parent, { recursive: true, mode: 0o700 });
    await build(request.parent, folder, { machineEtc, copied: copied.map((entry) => entry.name), bound, written });
    await removeOldOnes(request.parent, folder);
  }
  return { folder, bound };
}

type Entry = { readonly name: string; readonly changedMs: number; readonly isFolder: boolean };

/** Only what everybody may read: as root we could copy what no other user of the machine may see. */
async function publicEntries(machineEtc: string, names: readonly string[]): Promise<readonly Entry[]> {
  const entries = await Promise.all(
    names.map(async (name): Promise<Entry | undefined> => {
      const path = join(machineEtc, name);
      try {
        const own = await lstat(path);
        if (own.isSymbolicLink()) return { name, changedMs: own.mtimeMs, isFolder: false };
        const needed = own.isDirectory() ? 0o005 : 0o004;
        if ((own.mode & needed) !== needed || !(own.isDirectory() || own.isFile())) return undefined;
        return { name, changedMs: own.mtimeMs, isFolder: own.isDirectory() };
      } catch {
        // Not on this machine.
        return undefined;
      }
    }),
  );
  return entries.filter((entry) => entry !== undefined);
}

async function writtenFiles(request: EtcRequest, machineEtc: string): Promise<Readonly<Record<string, string>>> {
  const hosts = request.sharesNetwork ? await readFile(join(machineEtc, 'hosts'), 'utf8') : undefined;
  // Often a link into /run, which does not exist inside.
  const resolver = request.sharesNetwork ? await readFile(await realpath(join(machineEtc, 'resolv.conf')), 'utf8') : '';
  return {
    passwd: passwdText(request.accounts),
    group: groupText(request.accounts),
    hosts: hostsText(hosts),
    hostname: `${hostName}\n`,
    'resolv.conf': resolver,
  };
}

type Parts = {
  readonly machineEtc: string;
  readonly copied: readonly string[];
  readonly bound: readonly string[];
  readonly written: Readonly<Record<string, string>>;
};

/** Built aside and renamed: another process of ours may be building the same one. */
async function build(parent: string, folder: string, parts: Parts): Promise<void> {
  const draft = await mkdtemp(join(parent, 'draft-'));
  try {
    for (const name of parts.copied) {
      await mkdir(dirname(join(draft, name)), { recursive: true });
      await cp(join(parts.machineEtc, name), join(draft, name), {
        recursive: true,
        verbatimSymlinks: true,
        filter: isPublic,
      });
    }
    for (const name of parts.bound) await makeMountPoint(join(parts.machineEtc, name), join(draft, name));
    for (const [name, text] of Object.entries(parts.written)) await writeFile(join(draft, name), text);
    await openForReading(draft);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(folder))) throw error;
  }
}

async function isPublic(source: string): Promise<boolean> {
  const info = await lstat(source);
  if (info.isSymbolicLink()) return true;
  if (info.isDirectory()) return (info.mode & 0o005) === 0o005;
  return info.isFile() && (info.mode & 0o004) !== 0;
}

async function makeMountPoint(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  if ((await stat(source)).isDirectory()) await mkdir(target, { recursive: true });
  else await writeFile(target, '');
}

/** The sandbox's user may be another one than we are, and our umask may be strict. */
async function openForReading(folder: string): Promise<void> {
  const { chmod } = await import('node:fs/promises');
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openForReading(path);
    else if (entry.isFile()) await chmod(path, 0o644);
  }
}

/** Not at once: a command of another process may still have one of them as its /etc. */
async function removeOldOnes(parent: string, current: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    if (path === current || !/^(etc|draft)-/.test(name)) continue;
    const info = await stat(path).catch(() => undefined);
    if (info !== undefined && Date.now() - info.ctimeMs > keptForMs) await rm(path, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
