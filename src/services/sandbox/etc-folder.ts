/** Prepares the /etc of the sandbox: one folder of ours, made once, renewed when the machine's own entries change. */
import { createHash } from 'node:crypto';
import {
  type Stats,
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { sshIncludeText } from '../net/ssh-files.ts';
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

/** Blocks for some milliseconds the first time, and looks at some sixty entries after that. */
export function prepareEtcFolder(request: EtcRequest): EtcFolder {
  const machineEtc = request.machineEtc ?? '/etc';
  const java = readdirSync(machineEtc).filter(isJavaFolder);
  const copied = publicEntries(machineEtc, copiedEntries);
  const bound = publicEntries(machineEtc, [...boundEntries, ...java]).map((entry) => entry.name);
  const written = writtenFiles(request, machineEtc);
  const stamp = createHash('sha256')
    .update(JSON.stringify([copied, bound, written]))
    .digest('hex')
    .slice(0, 24);
  const folder = join(request.parent, `etc-${stamp}`);
  if (!existsSync(folder)) {
    mkdirSync(request.parent, { recursive: true, mode: 0o700 });
    build(request.parent, folder, { machineEtc, copied: copied.map((entry) => entry.name), bound, written });
    removeOldOnes(request.parent, folder);
  }
  return { folder, bound };
}

type Entry = { readonly name: string; readonly changedMs: number };

function publicEntries(machineEtc: string, names: readonly string[]): readonly Entry[] {
  return names.flatMap((name): Entry[] => {
    const info = lstatSync(join(machineEtc, name), { throwIfNoEntry: false });
    return info !== undefined && isPublic(info) ? [{ name, changedMs: info.mtimeMs }] : [];
  });
}

/** Only what everybody may read: as root we could copy what no other user of the machine may see. */
function isPublic(info: Stats): boolean {
  if (info.isSymbolicLink()) return true;
  if (info.isDirectory()) return (info.mode & 0o005) === 0o005;
  return info.isFile() && (info.mode & 0o004) !== 0;
}

function writtenFiles(request: EtcRequest, machineEtc: string): Readonly<Record<string, string>> {
  const readShared = (name: string): string | undefined => {
    if (!request.sharesNetwork || !existsSync(join(machineEtc, name))) return undefined;
    // Often a link into /run, which does not exist inside.
    return readFileSync(realpathSync(join(machineEtc, name)), 'utf8');
  };
  return {
    passwd: passwdText(request.accounts),
    group: groupText(request.accounts),
    hosts: hostsText(readShared('hosts')),
    hostname: `${hostName}\n`,
    'resolv.conf': readShared('resolv.conf') ?? '',
    // A pattern that fits nothing where there is no way out (ssh_config(5), Include).
    'ssh/ssh_config': sshIncludeText,
  };
}

type Parts = {
  readonly machineEtc: string;
  readonly copied: readonly string[];
  readonly bound: readonly string[];
  readonly written: Readonly<Record<string, string>>;
};

/** Built aside and renamed: another process of ours may be building the same one. */
function build(parent: string, folder: string, parts: Parts): void {
  const draft = mkdtempSync(join(parent, 'draft-'));
  try {
    // The sandbox's user may be another one than we are.
    chmodSync(draft, 0o755);
    for (const name of parts.copied) {
      makeParents(draft, name);
      copyPublic(join(parts.machineEtc, name), join(draft, name));
    }
    for (const name of parts.bound) {
      makeParents(draft, name);
      if (statSync(join(parts.machineEtc, name)).isDirectory()) makeOpenFolder(join(draft, name));
      else writeOpenFile(join(draft, name), '');
    }
    for (const [name, text] of Object.entries(parts.written)) {
      makeParents(draft, name);
      writeOpenFile(join(draft, name), text);
    }
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

function copyPublic(source: string, target: string): void {
  const info = lstatSync(source);
  if (!isPublic(info)) return;
  if (info.isSymbolicLink()) {
    symlinkSync(readlinkSync(source), target);
  } else if (info.isDirectory()) {
    makeOpenFolder(target);
    for (const name of readdirSync(source)) copyPublic(join(source, name), join(target, name));
  } else {
    copyFileSync(source, target);
    chmodSync(target, 0o644);
  }
}

function makeParents(draft: string, name: string): void {
  const parent = dirname(name);
  if (parent === '.') return;
  makeParents(draft, parent);
  if (!existsSync(join(draft, parent))) makeOpenFolder(join(draft, parent));
}

/** Whatever our umask is. */
function makeOpenFolder(path: string): void {
  mkdirSync(path);
  chmodSync(path, 0o755);
}

function writeOpenFile(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o644);
}

/** Not at once: a command of another process may still have one of them as its /etc. */
function removeOldOnes(parent: string, current: string): void {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (path === current || !/^(etc|draft)-/.test(name)) continue;
    const info = statSync(path, { throwIfNoEntry: false });
    if (info !== undefined && Date.now() - info.ctimeMs > keptForMs) rmSync(path, { recursive: true, force: true });
  }
}
