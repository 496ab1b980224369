/** Reads what a mirror says about the newest minirootfs of a release: its file name and checksum. Pure. */

export type Release = {
  /** `alpine-minirootfs-3.21.3-x86_64.tar.gz` */
  readonly file: string;
  readonly sha256: string;
};

/**
 * `latest-releases.yaml` is a list of blocks with simple `key: value` lines. Undefined when no block is a minirootfs for the
 * architecture with a whole checksum: a file name from the network becomes part of a path, so nothing else is taken.
 */
export function readReleaseList(text: string, version: string, architecture: string): Release | undefined {
  for (const block of text.split(/^-\s*/m)) {
    const field = (name: string): string =>
      new RegExp(`^ {0,4}${name}:[ \\t]*["']?([^"'\\r\\n]*?)["']?[ \\t]*$`, 'm').exec(block)?.[1] ?? '';
    const release = { file: field('file'), sha256: field('sha256').toLowerCase() };
    if (field('flavor') !== 'alpine-minirootfs') continue;
    if (isMinirootfs(release.file, version, architecture) && isSha256(release.sha256)) return release;
  }
  return undefined;
}

/** `<file>.sha256` beside the file: the checksum and the name, as sha256sum(1) prints them. */
export function readChecksumFile(text: string): string | undefined {
  const first = text.trim().split(/\s+/)[0]?.toLowerCase() ?? '';
  return isSha256(first) ? first : undefined;
}

function isMinirootfs(file: string, version: string, architecture: string): boolean {
  const match = /^alpine-minirootfs-(\d+\.\d+)[0-9a-z_.]*-([a-z0-9_]+)\.tar\.gz$/.exec(file);
  return match?.[1] === version && file.endsWith(`-${architecture}.tar.gz`);
}

const isSha256 = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
