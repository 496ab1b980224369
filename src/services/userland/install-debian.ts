/**
 * Builds a Debian tree without being anybody's root: the packages are unpacked by us and configured inside the sandbox,
 * where giving files away says yes and does nothing. So it needs no second user id, no chroot and no program but apt.
 */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';
import { debianReleaseName } from './choose-installation.ts';
import { fetchDebianArchives } from './debian-archives.ts';
import { type InstallContext, inStep, percentTeller } from './install-steps.ts';
import { aptEnvironment, type MachineApt, readMachineApt, sourcesText } from './machine-apt.ts';
import { prepareTree } from './prepare-tree.ts';
import { unpackArchive } from './unpack-archive.ts';
import type { Draft } from './userland-store.ts';

/** Debian keeps all of it below /usr (merged /usr). */
const mergedNames = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];

/** Ends with a tree that has been configured and has no lists yet. Rejects with ToolFailure that names the step. */
export async function installDebian(context: InstallContext, version: string | undefined): Promise<void> {
  const { store, signal, onProgress, now } = context;
  onProgress({ step: 'look', text: "reading the machine's apt configuration" });
  const apt = await inStep('look', () =>
    readMachineApt(version === undefined ? undefined : debianReleaseName(version)),
  );
  const mirror = apt.sources[0]?.uri ?? '';
  onProgress({ step: 'download', text: `packages of ${apt.codename}`, mirror: hostOf(mirror) });
  const { files } = await inStep('download', () =>
    fetchDebianArchives({ apt, folder: store.downloads, signal, onOutput: context.onOutput ?? (() => undefined) }),
  );
  const draft = await inStep('unpack', async () => unpackAll(context, files, store.newDraft()));
  await inStep('packages', async () => {
    writeAptFiles(context, draft.tree, apt);
    onProgress({ step: 'packages', text: `configuring ${files.length} packages` });
    await configure(context, draft.tree, files);
  });
  const { prettyName } = prepareTree(draft.tree, context);
  await draft.finish({
    distribution: 'debian',
    version: apt.codename,
    prettyName,
    architecture: apt.architecture,
    mirror,
    installedAt: now().toISOString(),
    stage: 'unpacked',
    packages: 'bare',
    idMap: 'single',
    dns: context.dns,
  });
}

async function unpackAll(context: InstallContext, files: readonly string[], draft: Draft): Promise<Draft> {
  const { store, signal } = context;
  const { tree } = draft;
  const merged = new Map(mergedNames.map((name) => [name, `usr/${name}`]));
  for (const name of ['usr', ...merged.values()]) makeFolder(context, join(tree, name));
  for (const [name, target] of merged) symlinkSync(target, join(tree, name));
  const tell = percentTeller(context, 'unpack');
  for (const [position, file] of files.entries()) {
    const child = spawn('/usr/bin/dpkg-deb', ['--fsys-tarfile', file], {
      env: aptEnvironment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    try {
      await unpackArchive({
        source: child.stdout,
        folder: tree,
        merged,
        overwrites: true,
        signal,
        ...(store.runAs.manner === 'dropped' ? { owner: store.runAs } : {}),
      });
      const code = await ended;
      if (code !== 0) throw new ToolFailure('failed', `${basename(file)} is damaged (dpkg-deb: ${code})`);
    } finally {
      child.kill('SIGKILL');
      await ended.catch(() => undefined);
    }
    tell({ text: basename(file), done: position + 1, total: files.length });
  }
  // Another processor's: usr-is-merged would take such a link away, and from inside nobody can.
  for (const [name, target] of merged) {
    if (readdirSync(join(tree, target)).length > 0) continue;
    rmdirSync(join(tree, target));
    unlinkSync(join(tree, name));
  }
  return draft;
}

function writeAptFiles(context: InstallContext, tree: string, apt: MachineApt): void {
  prepareTree(tree, context);
  const write = (name: string, text: string, mode = 0o644): void => {
    const path = join(tree, name);
    for (const folder of [dirname(dirname(path)), dirname(path)]) makeFolder(context, folder);
    writeFileSync(path, text);
    chmodSync(path, mode);
    own(context, path);
  };
  for (const name of ['var/lib/dpkg/info', 'var/lib/dpkg/updates', 'var/lib/dpkg/triggers']) {
    makeFolder(context, join(tree, name));
  }
  write('var/lib/dpkg/status', '');
  write('var/lib/dpkg/available', '');
  write('etc/apt/sources.list', sourcesText(apt));
  // There is nobody to drop to, and apt looks whether dropping has worked.
  write('etc/apt/apt.conf.d/90handrail', 'APT::Sandbox::User "root";\nAcquire::Languages "none";\n');
  // What a power cut would take is installed again.
  write('etc/dpkg/dpkg.cfg.d/handrail', 'force-unsafe-io\n');
  // https://people.debian.org/~hmh/invokerc.d-policyrc.d-specification.txt: 101 starts no service.
  write('usr/sbin/policy-rc.d', '#!/bin/sh\nexit 101\n', 0o755);
}

/** dpkg finds the files unpacked already, and writes down whose they are; what needs each other is configured in its order. */
const configureScript = [
  'dpkg --force-depends --install /var/cache/apt/archives/*.deb || dpkg --configure -a || exit',
  'problems=$(dpkg --audit)',
  '[ -z "$problems" ] || { printf "%s\\n" "$problems"; exit 1; }',
  'rm -f /var/cache/apt/archives/*.deb',
].join('\n');

async function configure(context: InstallContext, tree: string, files: readonly string[]): Promise<void> {
  const { store, run, signal, onOutput } = context;
  const archives = join(tree, 'var/cache/apt/archives');
  for (const folder of [dirname(archives), archives]) makeFolder(context, folder);
  for (const file of files) {
    const path = join(archives, basename(file));
    copyFileSync(file, path);
    chmodSync(path, 0o644);
    own(context, path);
  }
  const tell = percentTeller(context, 'packages');
  let done = 0;
  const result = await run({
    tree,
    workspace: store.systemFolder(),
    script: configureScript,
    signal,
    onOutput(text) {
      done += text.match(/^Setting up /gm)?.length ?? 0;
      tell({ text: 'configuring', done, total: files.length });
      onOutput?.(text);
    },
  });
  if (result.exitCode !== 0) {
    throw new ToolFailure('failed', `dpkg ended with ${result.exitCode}: ${result.tail || 'it said nothing'}`);
  }
}

function makeFolder(context: InstallContext, path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
  own(context, path);
}

function own({ store }: InstallContext, path: string): void {
  if (store.runAs.manner === 'dropped') chownSync(path, store.runAs.uid, store.runAs.gid);
}

const hostOf = (mirror: string): string => (URL.canParse(mirror) ? new URL(mirror).host : mirror);
