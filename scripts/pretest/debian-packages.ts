/** Which Debian packages the tests need, and how they come onto the machine. */
import { execFile } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

/** Package → programs of which one must be there. A program beginning with `/` is a pattern below that folder. */
export const packagesFor: Readonly<Record<string, readonly string[]>> = {
  bubblewrap: ['bwrap'],
  // A compiler with what it links to.
  'build-essential': ['gcc'],
  'busybox-static': ['busybox'],
  chromium: ['chromium'],
  crun: ['crun'],
  curl: ['curl'],
  git: ['git'],
  'openssh-client': ['ssh'],
  'openssh-server': ['sshd'],
  openssl: ['openssl'],
  less: ['less'],
  // With its modules, which perl-base does not have.
  perl: ['perldoc', 'cpan'],
  plocate: ['plocate'],
  podman: ['podman'],
  postgresql: ['initdb', '/usr/lib/postgresql/*/bin/initdb'],
  procps: ['ps'],
  proot: ['proot'],
  'python3-pip': ['pip3'],
  python3: ['python3'],
  ripgrep: ['rg'],
  tmux: ['tmux'],
  uidmap: ['newuidmap'],
  'util-linux': ['script'],
  'vim-tiny': ['vim.tiny', 'vim'],
};

/** Those none of whose programs can be found. */
export function missingPackages(packages: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.keys(packages).filter((name) => !packages[name]?.some(isProgram));
}

/** Undefined when all are there now; else one line that says what to do. */
export async function installPackages(names: readonly string[]): Promise<string | undefined> {
  const byHand = `The tests need: ${names.join(', ')}. On Debian: sudo apt-get install -y ${names.join(' ')}`;
  if (process.getuid?.() !== 0 || !isProgram('apt-get')) return byHand;
  console.error(`Installing for the tests: ${names.join(', ')} …`);
  const install = ['install', '-y', '--no-install-recommends', ...names];
  try {
    // The lists of a machine that was just set up are often empty or old; most of the time they are good, and then it is quick.
    await runApt(install).catch(() => runApt(['update']).then(() => runApt(install)));
  } catch (error) {
    const output = (error as { readonly stderr?: string }).stderr ?? String(error);
    return `apt-get failed: ${output.trim().split('\n').at(-1)}\n${byHand}`;
  }
  const missing = missingPackages(Object.fromEntries(names.map((name) => [name, packagesFor[name] ?? []])));
  return missing.length > 0
    ? `apt-get installed ${missing.join(', ')}, but its programs are not on the PATH.`
    : undefined;
}

async function runApt(options: readonly string[]): Promise<void> {
  await promisify(execFile)('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=120', ...options], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** On the PATH, or in a place where Debian puts programs that are only for root or only for a service. */
function isProgram(name: string): boolean {
  if (name.startsWith('/')) return expand(name).some(isExecutable);
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/bin', '/bin', '/usr/sbin', '/sbin'];
  return folders.some((folder) => isExecutable(path.join(folder, name)));
}

/** One `*` may stand for one folder. */
function expand(pattern: string): string[] {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return [pattern];
  try {
    return readdirSync(before).map((name) => before + name + after);
  } catch {
    // No such folder: nothing matches.
    return [];
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Missing or not for us: the next place is tried.
    return false;
  }
}
