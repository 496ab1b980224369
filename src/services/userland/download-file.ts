/** Downloads one file whose checksum is known, from the first mirror that has it; goes on where an earlier attempt broke off. */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { ToolFailure } from '../../contract/failure.ts';
import { type MirrorClient, receive } from './mirror-client.ts';

export type Download = {
  readonly client: MirrorClient;
  /** Each the address of the whole file, in the order in which they are tried. */
  readonly sources: readonly URL[];
  readonly sha256: string;
  readonly target: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: { readonly source: URL; readonly bytes: number; readonly total?: number }) => void;
};

/** Resolves with the address it came from; undefined: it was there already. Rejects with ToolFailure. */
export async function downloadFile(download: Download): Promise<URL | undefined> {
  const { target, sha256, sources, signal } = download;
  if (existsSync(target) && (await hashFile(target)) === sha256) return undefined;
  const part = `${target}.part`;
  const problems: string[] = [];
  for (const source of sources) {
    try {
      await fetchInto(part, source, download);
      if ((await hashFile(part)) === sha256) {
        renameSync(part, target);
        return source;
      }
      rmSync(part, { force: true });
      problems.push(`${source.host} sent a file whose checksum is wrong`);
    } catch (error) {
      if (signal.aborted || !(error instanceof ToolFailure)) throw error;
      problems.push(error.message);
    }
  }
  throw new ToolFailure('unavailable', `no mirror delivered it: ${problems.join('; ')}`);
}

async function fetchInto(part: string, source: URL, download: Download): Promise<void> {
  const { client, signal, maxBytes, onProgress } = download;
  const have = statSync(part, { throwIfNoEntry: false })?.size ?? 0;
  const { status, message } = await client.get(source, { from: have, signal });
  const from = status === 206 ? rangeStart(message.headers['content-range']) : 0;
  if (status === 416) {
    // What we have is not the beginning of this file.
    message.destroy();
    rmSync(part, { force: true });
    if (have > 0) return fetchInto(part, source, download);
  }
  if ((status !== 200 && status !== 206) || from === undefined || (status === 206 && from !== have)) {
    message.destroy();
    throw new ToolFailure('unavailable', `${source.host} answered ${status} for ${source.pathname}`);
  }
  const announced = Number(message.headers['content-length'] ?? NaN);
  const total = Number.isFinite(announced) ? from + announced : undefined;
  const file = openSync(part, status === 206 ? 'a' : 'w', 0o600);
  let bytes = from;
  try {
    await receive(message, source, (chunk) => {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new ToolFailure('too_large', `${source.host} sent more than ${maxBytes} bytes`);
      for (let written = 0; written < chunk.length;) written += writeSync(file, chunk, written);
      onProgress?.({ source, bytes, ...(total === undefined ? {} : { total }) });
    });
  } finally {
    closeSync(file);
  }
}

/** RFC 9110, 14.4. */
function rangeStart(header: string | undefined): number | undefined {
  const match = /^bytes (\d+)-/.exec(header ?? '');
  return match === null ? undefined : Number(match[1]);
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}
