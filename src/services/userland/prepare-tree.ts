/** What a fresh tree needs before anything runs in it: name servers, and the home of its root where it really is. */
import { chmodSync, chownSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sshIncludeText } from '../net/ssh-files.ts';
import { readDistribution } from '../sandbox/fixing-command.ts';
import { refused } from './archive-rules.ts';
import type { InstallContext } from './install-steps.ts';

/** Folders that packages expect, and that some archives leave out. */
const folders = ['etc', 'etc/ssh', 'etc/ssh/ssh_config.d', 'usr', 'var', 'opt', 'srv', 'mnt', 'media', 'boot'];

/** Only while nothing has run in the tree: it walks it as it is. */
export function prepareTree(
  tree: string,
  { store, dns }: Pick<InstallContext, 'store' | 'dns'>,
  /** Further top folders: from inside nobody can add one later. */
  more: readonly string[] = [],
): { readonly prettyName: string } {
  const own = (path: string): void => {
    if (store.runAs.manner === 'dropped') chownSync(path, store.runAs.uid, store.runAs.gid);
  };
  for (const name of [...folders, ...more]) {
    const path = join(tree, name);
    const info = lstatSync(path, { throwIfNoEntry: false });
    if (info?.isDirectory() === true) continue;
    if (info !== undefined) throw refused(name, 'it must be a folder');
    mkdirSync(path);
    chmodSync(path, 0o755);
    own(path);
  }
  const write = (name: string, text: string): void => {
    const path = join(tree, name);
    rmSync(path, { force: true });
    writeFileSync(path, text, { mode: 0o644, flag: 'wx' });
    own(path);
  };
  write('etc/resolv.conf', resolvText(dns));
  write('etc/hosts', '127.0.0.1 localhost handrail\n::1 localhost ip6-localhost ip6-loopback\n');
  // Both distributions read what lies there (ssh_config(5), Include).
  write('etc/ssh/ssh_config.d/handrail.conf', sshIncludeText);
  const passwd = join(tree, 'etc/passwd');
  if (lstatSync(passwd, { throwIfNoEntry: false })?.isFile() === true)
    write('etc/passwd', homeOfRoot(readFileSync(passwd, 'utf8')));
  return { prettyName: readDistribution(insideTree(tree, 'etc/os-release')).prettyName };
}

/** With the proxy nothing asks it; on the rung with the shared network programs do. */
export function resolvText(dns: readonly string[]): string {
  return dns.map((address) => `nameserver ${address}\n`).join('');
}

/** Programs such as ssh look for the home in passwd(5), not in HOME. */
export function homeOfRoot(passwd: string): string {
  return passwd.replace(/^(root:(?:[^:\n]*:){4})[^:\n]*:/m, '$1/home/handrail:');
}

/** One link, as os-release(5) allows it, and only inside the tree. */
function insideTree(tree: string, name: string): string {
  const path = join(tree, name);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
  const target = readlinkSync(path);
  const inner = join('/', target.startsWith('/') ? '' : 'etc', target);
  const real = join(tree, inner);
  return lstatSync(real, { throwIfNoEntry: false })?.isFile() === true ? real : '/dev/null';
}
