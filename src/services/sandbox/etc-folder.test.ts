import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTemporaryTree } from '../../../test/kit/temporary-tree.ts';
import { type EtcRequest, prepareEtcFolder } from './etc-folder.ts';

const accounts = { name: 'handrail', uid: 1234, gid: 1234, home: '/home/handrail' };

/** A machine's /etc, small. */
async function makeMachine(): Promise<EtcRequest> {
  const root = await createTemporaryTree({
    'etc/nsswitch.conf': 'hosts: files dns\n',
    'etc/shadow': 'root:$6$canary',
    'etc/ssh/ssh_host_key': 'canary',
    'etc/ssl/openssl.cnf': 'x',
    'etc/ssl/private/key.pem': 'canary',
    'etc/ssl/certs/ca.pem': 'x',
    'etc/services': 'closed to others',
    'etc/xml/catalog': 'x',
    'etc/xml/closed': 'canary',
    'etc/java-17-openjdk/conf': 'x',
    'etc/hosts': '10.0.0.1 intranet\n',
    'run/resolv.conf': 'nameserver 10.0.0.53\n',
  });
  symlinkSync('/usr/share/zoneinfo/Etc/UTC', join(root, 'etc/localtime'));
  symlinkSync('../run/resolv.conf', join(root, 'etc/resolv.conf'));
  chmodSync(join(root, 'etc/services'), 0o640);
  chmodSync(join(root, 'etc/xml/closed'), 0o600);
  return { machineEtc: join(root, 'etc'), parent: join(root, 'state'), accounts, sharesNetwork: false };
}

it('[A28] holds what is named and open to everybody, and nothing else', async () => {
  const machine = await makeMachine();
  const { folder, bound } = prepareEtcFolder(machine);
  expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual([
    'group', 'hostname', 'hosts', 'java-17-openjdk', 'localtime', 'nsswitch.conf', 'passwd', 'resolv.conf', 'ssh', 'ssh/ssh_config', 'ssl', 'ssl/certs', 'ssl/openssl.cnf', 'xml', 'xml/catalog',
  ]); // prettier-ignore
  expect(bound).toEqual(['ssl/certs', 'java-17-openjdk']);
  expect(readlinkSync(join(folder, 'localtime'))).toBe('/usr/share/zoneinfo/Etc/UTC');
  expect(readFileSync(join(folder, 'passwd'), 'utf8')).toContain(
    'handrail:x:1234:1234:Handrail sandbox:/home/handrail:/bin/bash',
  );
  expect(statSync(folder).mode & 0o777).toBe(0o755);
});

it('[S25] tells the machine’s names and resolvers only where its network is shared', async () => {
  const machine = await makeMachine();
  const apart = prepareEtcFolder(machine).folder;
  expect(readFileSync(join(apart, 'resolv.conf'), 'utf8')).toBe('');
  expect(readFileSync(join(apart, 'hosts'), 'utf8')).not.toContain('intranet');
  const shared = prepareEtcFolder({ ...machine, sharesNetwork: true }).folder;
  expect(readFileSync(join(shared, 'resolv.conf'), 'utf8')).toBe('nameserver 10.0.0.53\n');
  expect(readFileSync(join(shared, 'hosts'), 'utf8')).toBe('10.0.0.1 intranet\n');
});

it('is made once, and again when the machine changes', async () => {
  const machine = await makeMachine();
  const first = prepareEtcFolder(machine).folder;
  const madeAt = statSync(first).ctimeMs;
  expect(prepareEtcFolder(machine).folder).toBe(first);
  expect(statSync(first).ctimeMs).toBe(madeAt);
  writeFileSync(join(machine.machineEtc ?? '', 'nsswitch.conf'), 'hosts: files\n');
  utimesSync(join(machine.machineEtc ?? '', 'nsswitch.conf'), 1, 1);
  const second = prepareEtcFolder(machine).folder;
  expect(second).not.toBe(first);
  expect(readFileSync(join(second, 'nsswitch.conf'), 'utf8')).toBe('hosts: files\n');
  // A command of another process may still stand on it.
  expect(existsSync(first)).toBe(true);
});
