/** What this machine's own apt knows: which mirrors it uses for its distribution, by which keys, through which proxy. */
import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { ToolFailure } from '../../contract/failure.ts';
import { readDistribution } from '../sandbox/fixing-command.ts';

export type AptSource = { readonly uri: string; readonly suite: string; readonly components: readonly string[] };

export type MachineApt = {
  /** `bookworm` */
  readonly codename: string;
  readonly sources: readonly AptSource[];
  /** The keys of the distribution; undefined: those that apt trusts for everything. */
  readonly keyring: string | undefined;
  /** Tests have no keys, and say so here: `trusted=yes`. */
  readonly option?: string;
  /** Lines for an apt.conf: proxies and the like. */
  readonly acquire: readonly string[];
  readonly architecture: string;
};

const programs = { 'apt-get': '/usr/bin/apt-get', 'dpkg-deb': '/usr/bin/dpkg-deb', dpkg: '/usr/bin/dpkg' } as const;

/** Only the system's own folders, and none of our variables: keys lie there. */
export const aptEnvironment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', HOME: '/nonexistent' };

/** `wanted`: the release to build, by its name; omitted: the machine's own. Rejects with ToolFailure('unavailable'). */
export async function readMachineApt(wanted?: string): Promise<MachineApt> {
  const missing = Object.values(programs).find((path) => !isProgram(path));
  if (missing !== undefined) {
    throw new ToolFailure(
      'unavailable',
      `a Debian userland is built with the machine's own apt and dpkg, and ${missing} is not there. Install Alpine, which needs nothing: handrail sandbox install alpine`,
    );
  }
  const own = readCodename();
  const codename = wanted ?? own;
  if (!/^[a-z]+$/.test(codename)) {
    throw new ToolFailure(
      'unavailable',
      `it is not clear which release this machine has; name one: --version bookworm`,
    );
  }
  const [targets, architecture, acquire] = await Promise.all([
    run('apt-get', ['indextargets', '--format', '$(CREATED_BY)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)|$(ORIGIN)']),
    run('dpkg', ['--print-architecture']),
    run('apt-config', ['dump', '--format', '%F "%v";%n', 'Acquire']),
  ]);
  const sources = readAptTargets(targets, own, readDistribution().id).map((source) => ({
    ...source,
    suite: source.suite.replace(own, codename),
  }));
  if (sources.length === 0) {
    throw new ToolFailure('unavailable', `the machine's apt has no source of its distribution (${own || 'unknown'})`);
  }
  return {
    codename,
    sources,
    keyring: findKeyring(),
    architecture: architecture.trim(),
    acquire: readAcquire(acquire),
  };
}

/** One source per repository and suite. Pure. Those of others (a browser's, a database's) are left out. */
export function readAptTargets(text: string, codename: string, distribution: string): readonly AptSource[] {
  const found = new Map<string, { uri: string; suite: string; components: Set<string> }>();
  for (const line of text.split('\n')) {
    const [kind, uri = '', suite = '', component = '', origin = ''] = line.split('|');
    if (kind !== 'Packages' || !/^https?:\/\/[^\s'"\]]+$/.test(uri)) continue;
    if (suite !== codename && !suite.startsWith(`${codename}-`)) continue;
    // Empty while the machine has no lists: then the name of the suite alone has to do.
    if (!/^[\w./-]+$/.test(component) || (origin !== '' && origin.toLowerCase() !== distribution)) continue;
    const key = `${uri} ${suite}`;
    const source = found.get(key) ?? { uri, suite, components: new Set<string>() };
    source.components.add(component);
    found.set(key, source);
  }
  return [...found.values()].map((source) => ({ ...source, components: [...source.components] }));
}

/** sources.list(5). The key's path is the same inside, where the distribution's own package brings it. */
export function sourcesText({
  sources,
  keyring,
  option: own,
}: Pick<MachineApt, 'sources' | 'keyring' | 'option'>): string {
  const named = own ?? (keyring === undefined ? undefined : `signed-by=${keyring}`);
  const option = named === undefined ? '' : `[${named}] `;
  return sources.map(({ uri, suite, components }) => `deb ${option}${uri} ${suite} ${components.join(' ')}\n`).join('');
}

/** Proxies and timeouts of the machine; nothing that runs a program. */
function readAcquire(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) =>
      /^Acquire::(https?|ftp)::(Proxy|Timeout|Verify-[A-Za-z]+|CaInfo)(::[^\s"]+)? "[^"]*";$/i.test(line),
    );
}

function readCodename(): string {
  const { codename } = readDistribution();
  return codename ?? '';
}

function findKeyring(): string | undefined {
  const { id } = readDistribution();
  const path = `/usr/share/keyrings/${id}-archive-keyring.gpg`;
  return /^[a-z]+$/.test(id) && existsSync(path) ? path : undefined;
}

async function run(program: 'apt-get' | 'dpkg' | 'apt-config', args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(`/usr/bin/${program}`, [...args], {
    env: aptEnvironment,
    maxBuffer: 16 * 1024 * 1024,
    timeout: 60_000,
  });
  return stdout;
}

function isProgram(path: string): boolean {
  const info = statSync(path, { throwIfNoEntry: false });
  return info?.isFile() === true && (info.mode & 0o111) !== 0;
}
