/** The smallest userland: busybox, linked statically, and nothing else. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type BusyboxUserland = {
  readonly tree: string;
  /** As a command that is root in it would replace a file. */
  replace(name: string, text: string): void;
};

export function makeBusyboxUserland(stateFolder: string): BusyboxUserland {
  const current = join(stateFolder, 'userland/current');
  const tree = join(current, 'root');
  for (const name of ['bin', 'etc/ssl', 'usr/bin', 'lib64', 'var']) mkdirSync(join(tree, name), { recursive: true });
  cpSync('/usr/bin/busybox', join(tree, 'bin/busybox'));
  const applets = execFileSync('/usr/bin/busybox', ['--list'], { encoding: 'utf8' }).trim().split('\n');
  for (const name of applets) if (name !== 'busybox') symlinkSync('busybox', join(tree, 'bin', name));
  const record = { distribution: 'alpine', idMap: 'single', stage: 'ready', prettyName: 'busybox', dns: [] };
  writeFileSync(join(current, 'record.json'), JSON.stringify(record));
  return {
    tree,
    replace(name, text) {
      rmSync(join(tree, name), { force: true });
      writeFileSync(join(tree, name), text);
      chmodSync(join(tree, name), 0o755);
    },
  };
}
