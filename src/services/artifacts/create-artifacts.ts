/** Keeps results that were too long for the model, and reads them back in pages. */
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';
import type { ArtifactReference } from '../../contract/output.ts';
import type { Redactor, RedactorSource } from '../../contract/redaction.ts';
import type { Artifacts, ServiceOwner } from '../../contract/services.ts';
import { hasCode } from '../files/system-failure.ts';
import { createFindBinary, type FindBinary } from '../search/find-binary.ts';
import { findLines } from './find-lines.ts';

export type ArtifactsOptions = {
  readonly folder: string;
  /** Omitted: results are kept as they are. */
  readonly redactor?: RedactorSource;
  /** Omitted: ripgrep's package, then the PATH. */
  readonly findBinary?: FindBinary;
};

/** 80 random bits, spelled in base32 (RFC 4648, lower case): not to be guessed, and short enough for a model to repeat. */
const idLength = 16;
const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

export function createArtifacts(options: ArtifactsOptions): ServiceOwner<Artifacts> {
  const { folder } = options;
  const findBinary = options.findBinary ?? createFindBinary();
  return {
    forCall: (scope) => ({
      keep: async (content) => keep(folder, hideSecrets(content, await options.redactor?.())),
      async read(id, { offset, limit, pattern }) {
        scope.signal.throwIfAborted();
        const path = pathOfArtifact(folder, id);
        const bytes = await readWhole(path, id);
        const text =
          pattern === undefined
            ? bytes.toString('utf8')
            : await findLines(bytes, pattern, folder, id, findBinary, scope.signal);
        return cutPage(text, offset, limit);
      },
    }),
    close: () => Promise.resolve(), // Artifacts stay: people open them later.
  };
}

function hideSecrets(content: string | Buffer, redactor: Redactor | undefined): string | Buffer {
  if (redactor === undefined) return content;
  if (typeof content === 'string') return redactor.redact(content);
  // Bytes that are no text come back as the same bytes.
  const encoding = isUtf8(content) ? 'utf8' : 'latin1';
  return Buffer.from(redactor.redact(content.toString(encoding)), encoding);
}

async function keep(folder: string, content: string | Buffer): Promise<ArtifactReference | undefined> {
  const id = newId();
  const path = join(folder, id);
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(
      path,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    return { id, path, bytes: bytes.length };
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined); // The folder itself may be unreachable; half a result must not stay where it is not.
    // What was cut is lost then, but the call's own result is not.
    if (hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'ENOTDIR')) return undefined;
    throw error;
  }
}

function newId(): string {
  return Array.from(randomBytes(idLength), (byte) => base32[byte & 31] ?? 'a').join('');
}

function pathOfArtifact(folder: string, id: string): string {
  if (!/^[a-z2-7]{16}$/.test(id)) throw missing(id);
  return join(folder, id);
}

async function readWhole(path: string, id: string): Promise<Buffer> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ELOOP')) throw missing(id);
    throw error;
  }
}

function missing(id: string): ToolFailure {
  return new ToolFailure(
    'not_found',
    `There is no kept result ${id}. Use the id exactly as the cut result named it; old ones may have been removed.`,
  );
}

/** Pages join without a gap: none begins or ends between the halves of a surrogate pair. */
function cutPage(
  text: string,
  offset: number,
  limit: number,
): { text: string; totalChars: number; nextOffset?: number } {
  if (offset > text.length)
    throw new ToolFailure(
      'invalid_input',
      `The result has ${text.length} characters; offset ${offset} is behind its end. Choose a smaller one.`,
    );
  const end = Math.min(text.length, offset + limit);
  const isSplit = end < text.length && end - offset > 1 && isLowSurrogate(text.charCodeAt(end));
  const cut = isSplit ? end - 1 : end;
  return { text: text.slice(offset, cut), totalChars: text.length, ...(cut < text.length && { nextOffset: cut }) };
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
