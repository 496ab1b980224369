import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemporaryTree } from '../../../test/kit/temporary-tree.ts';
import { type Detection, detectRungs, missingRungMessage } from './detect-rungs.ts';
import { type BubblewrapSearch, findBubblewrap, isAtLeast } from './find-bubblewrap.ts';
import { findContainer } from './find-container.ts';
import { findProot } from './find-proot.ts';
import { installCommand, readDistribution, userNamespaceFix } from './fixing-command.ts';

const detection: Detection = { configured: 'namespaces', isRoot: false, hasSeccomp: true };

const fakeBubblewrap = (script: string, mode = 0o755): Promise<string> => fakeProgram('bwrap', script, mode);

async function fakeProgram(name: string, script: string, mode = 0o755): Promise<string> {
  const folder = await createTemporaryTree();
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), mode);
  return folder;
}

describe('the report for doctor', () => {
  it('[A29] names the rung in force on this machine, really tried', async () => {
    const report = await detectRungs(detection);
    expect(report).toMatchObject({
      configured: 'namespaces',
      rung: 'namespaces',
      bubblewrap: { path: expect.stringMatching(/^\/.*bwrap$/) },
    });
  });

  it('[A29] says what is missing and what installs it', async () => {
    const find = () => findBubblewrap(['/nowhere']);
    const report = await detectRungs({ ...detection, find });
    expect(report).toMatchObject({ rung: undefined, reason: 'bubblewrap is not installed' });
    expect(missingRungMessage(report)).toMatch(
      /^The sandbox is not ready, so no command was run: bubblewrap is not installed\. To fix it: .*bubblewrap/,
    );
  });

  it('[A27] a setuid bubblewrap is refused', async () => {
    const folder = await fakeBubblewrap('echo bubblewrap 0.11.0', 0o4755);
    const report = await detectRungs({ ...detection, find: () => findBubblewrap([folder]) });
    expect(report).toMatchObject({
      rung: undefined,
      reason: expect.stringContaining('setuid'),
      fix: `sudo chmod u-s,g-s ${folder}/bwrap`,
    });
  });

  it('[A29] namespaces that the machine forbids are named with the command that allows them', async () => {
    const knobs: Record<string, string> = { 'kernel/apparmor_restrict_unprivileged_userns': '1' };
    const report = await detectRungs({
      ...detection,
      tryOut: () => Promise.resolve('bwrap: setting up uid map: Permission denied'),
      readKnob: (path) => knobs[path],
    });
    expect(report.rung).toBeUndefined();
    expect(report.reason).toMatch(/AppArmor restricts.*Permission denied/);
    expect(report.fix).toMatch(/sudo apparmor_parser -r .*bwrap-userns-restrict/);
  });

  it('[A26] an older bubblewrap works and is warned about, a newer one is not', async () => {
    const found = { path: '/usr/bin/bwrap', version: '0.8.0', canDisableUserNamespaces: true, canLimitTmpfs: true };
    const at = (version: string) =>
      detectRungs({
        ...detection,
        find: () => Promise.resolve({ found: { ...found, version } }),
        tryOut: () => Promise.resolve(undefined),
      });
    expect((await at('0.8.0')).warnings.join()).toContain('CVE-2026-87766');
    expect((await at('0.12.0')).warnings).toEqual([]);
  });

  it('warns of root, of the shared network and of a processor without a filter', async () => {
    const tryOut = () => Promise.resolve(undefined);
    const find = () =>
      Promise.resolve({ found: { path: '/b', version: '1.0.0', canDisableUserNamespaces: true, canLimitTmpfs: true } });
    const report = await detectRungs({
      configured: 'namespaces-shared-network',
      isRoot: true,
      hasSeccomp: false,
      find,
      tryOut,
    });
    expect(report.warnings).toEqual([
      expect.stringContaining('keyring'),
      expect.stringContaining('runs as root'),
      expect.stringContaining('127.0.0.1'),
    ]);
  });

  it('[A33] proot is offered as compatibility, not isolation, and its version as what it is', async () => {
    const at = async (version: string) => {
      const folder = await fakeProgram('proot', `echo proot ${version}`);
      return detectRungs({ ...detection, configured: 'proot', findProot: () => findProot([folder]) });
    };
    const old = await at('5.1.0');
    expect(old).toMatchObject({ rung: 'proot', program: { version: '5.1.0' } });
    expect(old.warnings).toEqual([
      expect.stringMatching(/^proot is compatibility, not isolation/),
      expect.stringContaining('5.1.0 does not rewrite statx'),
    ]);
    expect((await at('5.4.0')).warnings).toHaveLength(1);
  });

  it.each([
    ['proot', 'proot is not installed', 'sudo dnf install proot'],
    ['container', 'neither podman nor docker is installed', 'sudo dnf install podman'],
  ] as const)(
    '[K45] %s that is missing is no rung, and is answered with what installs it',
    async (configured, reason, fix) => {
      const report = await detectRungs({
        ...detection,
        configured,
        findProot: () => findProot(['/nowhere']),
        findContainer: () => findContainer(['/nowhere']),
        distribution: { id: 'fedora', like: [], prettyName: 'Fedora' },
      });
      expect(report).toEqual({ configured, rung: undefined, reason, fix, warnings: [] });
    },
  );

  it('[A29] a container that does not start is no rung, and what was said is told', async () => {
    const folder = await fakeProgram(
      'podman',
      '[ "$1" = --version ] && echo podman version 5.0.0 && exit; echo broken >&2; exit 125',
    );
    const report = await detectRungs({
      ...detection,
      configured: 'container',
      findContainer: () => findContainer([folder]),
    });
    expect(report).toMatchObject({ rung: undefined, reason: expect.stringMatching(/podman cannot start.*broken/) });
  });

  it('[A28] a docker without its service is no rung', async () => {
    const folder = await fakeProgram('docker', '[ "$1" = --version ] && echo Docker version 26.1.0 && exit; exit 1');
    expect(await findContainer([folder])).toMatchObject({ found: undefined, problem: 'broken' });
  });

  it('the host rung is named as what it is', async () => {
    const report = await detectRungs({ ...detection, configured: 'host' });
    expect(report).toMatchObject({ rung: 'host', warnings: [expect.stringContaining('without any sandbox')] });
  });
});

describe('the bubblewrap that is found', () => {
  it.each([
    ['0.4.1', undefined],
    ['0.6.1', { canDisableUserNamespaces: false, canLimitTmpfs: false }],
    ['0.8.0', { canDisableUserNamespaces: true, canLimitTmpfs: true }],
  ])('%s is known for what it can', async (version, abilities) => {
    const folder = await fakeBubblewrap(`echo bubblewrap ${version}`);
    const { found } = await findBubblewrap([folder]);
    if (abilities === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject({ version, ...abilities });
  });

  it('one that says nothing is broken', async () => {
    const folder = await fakeBubblewrap('exit 1');
    expect(await findBubblewrap([folder])).toMatchObject({ found: undefined, problem: 'broken' });
  });

  it('versions are compared by number', () => {
    expect([
      isAtLeast('0.10.0', '0.9'),
      isAtLeast('0.8', '0.8.0'),
      isAtLeast('0.8.0', '0.12.0'),
      isAtLeast('1.0', '0.12.9'),
    ]).toEqual([true, true, false, true]);
  });
});

describe('the command that fixes it', () => {
  it.each([
    ['ID=debian\n', 'sudo apt-get install bubblewrap'],
    ['ID=linuxmint\nID_LIKE="ubuntu debian"\n', 'sudo apt-get install bubblewrap'],
    ['ID="rocky"\nID_LIKE="rhel centos fedora"\n', 'sudo dnf install bubblewrap'],
    ['ID=arch\n', 'sudo pacman -S bubblewrap'],
    ['ID=alpine\n', 'sudo apk add bubblewrap'],
    ['NAME=Own\n', 'install the package "bubblewrap" with your package manager'],
  ])('%j', async (text, command) => {
    const folder = await createTemporaryTree({ 'os-release': text });
    expect(installCommand(readDistribution(join(folder, 'os-release')), false)).toBe(command);
  });

  it.each([
    ['debian', 'sudo apt-get install --reinstall bubblewrap'],
    ['fedora', 'sudo dnf reinstall bubblewrap'],
    ['alpine', 'sudo apk fix bubblewrap'],
    ['opensuse', 'sudo zypper install --force bubblewrap'],
    ['arch', 'sudo pacman -S bubblewrap'],
  ])('[A29] a broken bubblewrap on %s', async (id, fix) => {
    const find = (): Promise<BubblewrapSearch> =>
      Promise.resolve({ found: undefined, problem: 'broken', reason: 'it does not answer' });
    const report = await detectRungs({ ...detection, find, distribution: { id, like: [], prettyName: id } });
    expect(report).toMatchObject({ rung: undefined, reason: 'it does not answer', fix });
  });

  it.each([
    ['ubuntu', /apparmor-profiles && .*apparmor_parser/],
    ['arch', /^sudo sysctl -w kernel\.apparmor_restrict_unprivileged_userns=0$/],
  ])('[A29] namespaces that AppArmor restricts on %s', (id, fix) => {
    const knob = (path: string): string | undefined => (path.startsWith('kernel/apparmor') ? '1' : undefined);
    expect(userNamespaceFix(false, knob, { id, like: [], prettyName: id })).toMatch(fix);
  });

  it.each(['proot', 'podman'] as const)('installs %s by its name', (name) => {
    expect(installCommand({ id: 'alpine', like: [], prettyName: '' }, true, name)).toBe(`apk add ${name}`);
  });

  it('needs no sudo for root', async () => {
    const folder = await createTemporaryTree({ 'os-release': 'ID=debian' });
    expect(installCommand(readDistribution(join(folder, 'os-release')), true)).toBe('apt-get install bubblewrap');
  });

  it.each([
    ['kernel/unprivileged_userns_clone', '0', 'sudo sysctl -w kernel.unprivileged_userns_clone=1'],
    ['user/max_user_namespaces', '0', 'sudo sysctl -w user.max_user_namespaces=10000'],
  ])('%s', (knob, value, command) => {
    expect(userNamespaceFix(false, (path) => (path === knob ? value : undefined))).toBe(command);
  });
});
