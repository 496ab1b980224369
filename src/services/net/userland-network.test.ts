/** The way out of a userland that has no library and no program that Node needs. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listen, openNetworkWorld } from '../../../test/kit/network-world.ts';
import { openShellWorld } from '../../../test/kit/shell-world.ts';

/** busybox and nothing else: one static program. */
function makeTree(tree: string): void {
  for (const name of ['bin', 'etc', 'usr/bin', 'lib', 'var', 'sbin']) mkdirSync(join(tree, name), { recursive: true });
  cpSync('/usr/bin/busybox', join(tree, 'bin/busybox'));
  const applets = execFileSync('/usr/bin/busybox', ['--list'], { encoding: 'utf8' }).trim().split('\n');
  for (const name of applets) if (name !== 'busybox') symlinkSync('busybox', join(tree, 'bin', name));
}

const record = {
  ...{ distribution: 'alpine', version: '3.21', prettyName: 'busybox', architecture: 'x86_64', mirror: '' },
  ...{ installedAt: '', stage: 'ready', packages: 'bare', idMap: 'single', dns: [] },
};

test('[S26] a userland with another C library, or none, has the same way out', async () => {
  const server = createServer((_request, response) => void response.end('a page'));
  const port = await listen(server);
  const net = openNetworkWorld({
    names: { 'ok.example': ['127.0.0.1'] },
    settings: { mode: 'on', allowPrivate: [`ok.example:${port}`] },
  });
  const world = openShellWorld({ sandbox: { network: net.network, root: () => 'userland' } });
  try {
    const current = join(world.stateFolder, 'userland/current');
    makeTree(join(current, 'root'));
    writeFileSync(join(current, 'record.json'), JSON.stringify(record));
    const page = await world.run(`ls /lib; wget -qO- http://ok.example:${port}/`);
    expect(page).toMatchObject({ exitCode: 0, stdout: { text: 'a page' }, notes: [] });
    const refused = await world.run('wget -qO- http://169.254.169.254/');
    expect(refused.notes.join()).toContain('network: refused 169.254.169.254:80');
  } finally {
    await world.close();
    await net.close();
    server.close();
  }
});
