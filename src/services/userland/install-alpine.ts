/** Downloads and unpacks Alpine's minirootfs, and finds the mirror that its packages come from. */
import { createReadStream, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';
import { findAlpineRelease, releaseFileUrl } from './alpine-release.ts';
import { downloadFile } from './download-file.ts';
import { type InstallContext, inStep, megabytes, percentTeller } from './install-steps.ts';
import { alpineArchitecture } from './mirrors.ts';
import { prepareTree } from './prepare-tree.ts';
import { unpackArchive } from './unpack-archive.ts';

const maxArchiveBytes = 200 * 1024 * 1024;
const maxTreeBytes = 1024 * 1024 * 1024;

/** Ends with a tree that has no repositories yet. Rejects with ToolFailure that names the step. */
export async function installAlpine(context: InstallContext, version: string): Promise<void> {
  const { store, client, signal, onProgress, now } = context;
  const architecture = alpineArchitecture();
  if (architecture === undefined) {
    throw new ToolFailure('unavailable', `Alpine has no minirootfs for this processor (${process.arch}).`);
  }
  const release = await inStep('look', () =>
    findAlpineRelease({
      client,
      mirrors: context.mirrors,
      authority: context.authority,
      version,
      architecture,
      signal,
      onMirror: (mirror) => onProgress({ step: 'look', text: `asking for Alpine ${version}`, mirror: hostOf(mirror) }),
    }),
  );
  const archive = join(store.downloads, release.file);
  const sources = release.mirrors.map((mirror) => releaseFileUrl(mirror, { version, architecture }, release.file));
  const from = await download(context, { ...release, sources, target: archive });
  onProgress({ step: 'verify', text: `SHA-256 as told by ${release.vouchedBy}`, percent: 100 });
  removeOtherArchives(store.downloads, release.file);
  await inStep('unpack', async () => {
    const draft = store.newDraft();
    const unpacked = await unpackArchive({
      source: createReadStream(archive),
      folder: draft.tree,
      ...ownerOf(context),
      maxBytes: maxTreeBytes,
      signal,
    });
    onProgress({ step: 'unpack', text: `${unpacked.entries} files, ${megabytes(unpacked.bytes)}`, percent: 100 });
    const { prettyName } = prepareTree(draft.tree, context, ['lib64']);
    await draft.finish({
      distribution: 'alpine',
      version,
      prettyName,
      architecture,
      mirror: from === undefined ? (release.mirrors[0] ?? '') : mirrorOf(release.mirrors, from),
      installedAt: now().toISOString(),
      stage: 'unpacked',
      packages: 'bare',
      idMap: 'single',
      dns: context.dns,
    });
  });
}

/** Which of the sources it came from; undefined when it was there already. */
function download(
  context: InstallContext,
  wanted: Pick<Parameters<typeof downloadFile>[0], 'sources' | 'sha256' | 'target'> & { readonly file: string },
): ReturnType<typeof downloadFile> {
  const tell = percentTeller(context, 'download');
  return inStep('download', () =>
    downloadFile({
      client: context.client,
      sources: wanted.sources,
      sha256: wanted.sha256,
      target: wanted.target,
      maxBytes: maxArchiveBytes,
      signal: context.signal,
      onProgress: ({ source, bytes, total }) =>
        tell({
          text: `${wanted.file}, ${megabytes(bytes)}`,
          done: bytes,
          mirror: source.host,
          ...(total === undefined ? {} : { total }),
        }),
    }),
  );
}

/** `apk update` per mirror until one succeeds; that one stays. Rejects with ToolFailure that names what each of them said. */
export async function chooseApkMirror(context: InstallContext, version: string, first: string): Promise<string> {
  const { store, run, signal, onProgress, mirrors } = context;
  const problems: string[] = [];
  for (const mirror of [...new Set([first, ...mirrors])].filter((text) => text !== '')) {
    const base = `${mirror.replace(/\/+$/, '')}/v${version}`;
    onProgress({ step: 'repositories', text: 'apk update', mirror: hostOf(mirror) });
    const result = await run({
      tree: store.tree,
      workspace: store.systemFolder(),
      script: 'printf "%s\\n" "$1/main" "$1/community" >/etc/apk/repositories && apk update',
      args: [base],
      signal,
      ...(context.onOutput === undefined ? {} : { onOutput: context.onOutput }),
    });
    if (result.exitCode === 0) return mirror;
    problems.push(`${hostOf(mirror)} (${result.tail || `exit code ${result.exitCode}`})`);
  }
  throw new ToolFailure('unavailable', `apk update succeeded with no mirror: ${problems.join('; ')}`);
}

function ownerOf({ store }: InstallContext): { owner?: { uid: number; gid: number } } {
  const { manner, uid, gid } = store.runAs;
  return manner === 'dropped' ? { owner: { uid, gid } } : {};
}

/** Of older releases: each is a few megabytes that nobody asks for again. */
function removeOtherArchives(folder: string, current: string): void {
  for (const name of readdirSync(folder)) {
    if (/^alpine-minirootfs-.*\.tar\.gz(\.part)?$/.test(name) && name !== current) rmSync(join(folder, name));
  }
}

const hostOf = (mirror: string): string => new URL(mirror).host;

const mirrorOf = (mirrors: readonly string[], from: URL): string =>
  mirrors.find((mirror) => from.href.startsWith(mirror.replace(/\/+$/, ''))) ?? from.origin;
