/** Downloads the packages that a Debian tree begins with, by the machine's own apt: its mirrors, its keys, its checks. */
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ToolFailure } from '../../contract/failure.ts';
import { aptEnvironment, type MachineApt, sourcesText } from './machine-apt.ts';

export type DebianArchives = {
  /** Paths of .deb files whose checksums apt has compared. */
  readonly files: readonly string[];
};

export type ArchiveRequest = {
  readonly apt: MachineApt;
  /** Private to us; kept, so that a second time needs no network. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
  /** Packages besides. Omitted: none. */
  readonly more?: readonly string[];
};

/** What every Debian has, what installs more, and the sign that /bin is a link to /usr/bin (a machine has it from the start). */
const wanted = ['?essential', 'apt', 'ca-certificates', '?exact-name(usr-is-merged)'];

/** Rejects with ToolFailure: unavailable (with apt's own words), cancelled. */
export async function fetchDebianArchives(request: ArchiveRequest): Promise<DebianArchives> {
  const { apt, folder, signal } = request;
  const place = join(folder, `debian-${apt.codename}-${apt.architecture}`);
  const listFile = join(place, 'complete.json');
  const known = readList(listFile);
  if (known !== undefined) return { files: known.map((name) => join(place, 'archives', name)) };
  const config = writeConfig(place, apt);
  await runApt(['-q', 'update', '-o', 'APT::Update::Error-Mode=any'], config, request);
  // With an empty cache apt names every file, also those that are there already.
  const names = [...wanted, ...(request.more ?? [])];
  const uris = await listUris(config, names, signal);
  await runApt(['-q', '-y', '--download-only', 'install', ...names], config, request);
  writeFileSync(listFile, JSON.stringify(uris));
  return { files: uris.map((name) => join(place, 'archives', name)) };
}

/** The same package under another hash would be another file name; the whole set is one answer of apt. */
function readList(path: string): readonly string[] | undefined {
  try {
    const names = JSON.parse(readFileSync(path, 'utf8')) as readonly string[];
    return names.length > 0 ? names : undefined;
  } catch {
    // Not complete yet.
    return undefined;
  }
}

/** Everything in folders of its own, and none of the machine's hooks. */
function writeConfig(place: string, apt: MachineApt): string {
  for (const name of ['lists/partial', 'archives/partial', 'empty/partial', 'etc', 'log']) {
    mkdirSync(join(place, name), { recursive: true, mode: 0o700 });
  }
  writeFileSync(join(place, 'status'), '');
  writeFileSync(join(place, 'sources.list'), sourcesText(apt));
  const settings: Readonly<Record<string, string>> = {
    'Dir::State': place,
    'Dir::State::lists': join(place, 'lists'),
    'Dir::State::status': join(place, 'status'),
    'Dir::State::extended_states': join(place, 'extended_states'),
    'Dir::Cache': place,
    'Dir::Cache::archives': join(place, 'archives'),
    'Dir::Etc': join(place, 'etc'),
    'Dir::Etc::sourcelist': join(place, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    ...(apt.keyring === undefined
      ? { 'Dir::Etc::trusted': '/etc/apt/trusted.gpg', 'Dir::Etc::trustedparts': '/etc/apt/trusted.gpg.d' }
      : {}),
    'Dir::Log': join(place, 'log'),
    'APT::Architecture': apt.architecture,
    'APT::Architectures': apt.architecture,
    // The folders are ours alone; the keys are compared all the same.
    'APT::Sandbox::User': 'root',
    'APT::Install-Recommends': 'false',
    'APT::Get::AllowUnauthenticated': 'false',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '3',
  };
  const path = join(place, 'apt.conf');
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";`);
  writeFileSync(path, `${[...lines, ...apt.acquire].join('\n')}\n`);
  return path;
}

async function listUris(config: string, names: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  const empty = join(config, '../empty');
  const args = ['-q', '-y', '-o', `Dir::Cache::archives=${empty}`, '--print-uris', 'install', ...names];
  const { stdout } = await promisify(execFile)('/usr/bin/apt-get', args, {
    env: { ...aptEnvironment, APT_CONFIG: config },
    maxBuffer: 16 * 1024 * 1024,
    signal,
  });
  const files = [...stdout.matchAll(/^'[^']+' (\S+\.deb) \d+/gm)].map((match) => match[1] ?? '');
  if (files.length === 0) throw new ToolFailure('unavailable', 'apt named no packages to begin with');
  return files;
}

function runApt(args: readonly string[], config: string, { signal, onOutput }: ArchiveRequest): Promise<void> {
  const child = spawn('/usr/bin/apt-get', [...args], {
    env: { ...aptEnvironment, APT_CONFIG: config, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  let said = '';
  const take = (chunk: Buffer): void => {
    said = (said + chunk.toString()).slice(-4000);
    onOutput(chunk.toString());
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(
        signal.aborted
          ? new ToolFailure('cancelled', 'The download was stopped.')
          : new ToolFailure('unavailable', `apt-get could not be started: ${error.message}`, { cause: error }),
      ),
    );
    child.once('close', (code) => {
      if (code === 0) return resolve();
      const lines = said.split('\n').filter((line) => /^(E:|Err:|W:)/.test(line));
      const why = lines.slice(-3).join(' | ') || `exit code ${code}`;
      reject(new ToolFailure('unavailable', `apt-get ${args.includes('update') ? 'update' : 'download'}: ${why}`));
    });
  });
}
