/**
 * Finds the newest minirootfs of a release and a checksum that can be believed: from the authority over TLS, or the same
 * from two mirrors. A checksum that one mirror gives over plain HTTP says no more than the file it belongs to.
 */
import { ToolFailure } from '../../contract/failure.ts';
import type { MirrorClient } from './mirror-client.ts';
import { readChecksumFile, readReleaseList, type Release } from './read-release-list.ts';

export type AlpineSource = {
  readonly client: MirrorClient;
  readonly mirrors: readonly string[];
  /** The host whose word counts by itself, over TLS: the official network, or the first mirror that the user has named. */
  readonly authority: string;
  readonly version: string;
  readonly architecture: string;
  readonly signal: AbortSignal;
  readonly onMirror?: (mirror: string) => void;
};

export type TrustedRelease = Release & {
  /** Who vouches for it, in words. */
  readonly vouchedBy: string;
  /** Those that are known to answer, first. */
  readonly mirrors: readonly string[];
};

/** Rejects with ToolFailure('unavailable') that names every mirror and what was wrong with it. */
export async function findAlpineRelease(source: AlpineSource): Promise<TrustedRelease> {
  const problems: string[] = [];
  const said: { readonly mirror: string; readonly release: Release }[] = [];
  const order = (first: readonly string[]) => [...first, ...source.mirrors.filter((mirror) => !first.includes(mirror))];
  for (const mirror of source.mirrors) {
    source.onMirror?.(mirror);
    try {
      const release = await askForRelease(source, mirror);
      if (isAuthority(mirror, source.authority)) {
        const first = said.map((entry) => entry.mirror);
        return { ...release, vouchedBy: hostOf(mirror), mirrors: order([mirror, ...first]) };
      }
      const witness = await findWitness(source, said, release, mirror);
      if (witness !== undefined) {
        return {
          ...witness.release,
          vouchedBy: `${hostOf(witness.mirror)} and ${hostOf(mirror)}, which agree`,
          mirrors: order([witness.mirror, mirror]),
        };
      }
      said.push({ mirror, release });
    } catch (error) {
      if (source.signal.aborted || !(error instanceof ToolFailure)) throw error;
      problems.push(error.message);
    }
  }
  throw new ToolFailure('unavailable', explain(source, said, problems));
}

export const releaseFileUrl = (
  mirror: string,
  { version, architecture }: Pick<AlpineSource, 'version' | 'architecture'>,
  file: string,
): URL => new URL(`${trimSlash(mirror)}/v${version}/releases/${architecture}/${file}`);

async function askForRelease(source: AlpineSource, mirror: string): Promise<Release> {
  const url = releaseFileUrl(mirror, source, 'latest-releases.yaml');
  const release = readReleaseList(await source.client.text(url, source.signal), source.version, source.architecture);
  if (release !== undefined) return release;
  throw new ToolFailure(
    'unavailable',
    `${url.host} names no minirootfs of Alpine ${source.version} for ${source.architecture}`,
  );
}

/** An earlier mirror that says the same, or said something else of a file for which this one has the same checksum. */
async function findWitness(
  source: AlpineSource,
  said: readonly { readonly mirror: string; readonly release: Release }[],
  release: Release,
  mirror: string,
): Promise<{ readonly mirror: string; readonly release: Release } | undefined> {
  const others = said.filter((entry) => hostOf(entry.mirror) !== hostOf(mirror));
  const same = others.find((entry) => entry.release.file === release.file && entry.release.sha256 === release.sha256);
  if (same !== undefined) return same;
  for (const entry of others) {
    if (entry.release.file === release.file) continue;
    // One of them is some hours behind: what it names as the newest, the other has too.
    const url = releaseFileUrl(mirror, source, `${entry.release.file}.sha256`);
    const sum = await source.client.text(url, source.signal).then(readChecksumFile, () => undefined);
    if (sum === entry.release.sha256) return entry;
  }
  return undefined;
}

function isAuthority(mirror: string, authority: string): boolean {
  const url = new URL(mirror);
  return url.protocol === 'https:' && url.host === authority;
}

function explain(
  source: AlpineSource,
  said: readonly { readonly mirror: string; readonly release: Release }[],
  problems: readonly string[],
): string {
  const lone = said.map((entry) => hostOf(entry.mirror)).join(', ');
  const distrust =
    said.length === 0
      ? ''
      : `${lone} answered, but ${said.length === 1 ? 'nobody else confirms its checksum' : 'they do not agree on the checksum'} (${source.authority} over https, or two mirrors that agree, are needed)`;
  return [distrust, ...problems].filter((text) => text !== '').join('; ');
}

const trimSlash = (text: string): string => text.replace(/\/+$/, '');
const hostOf = (mirror: string): string => new URL(mirror).host;
