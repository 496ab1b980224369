/** The built web app: only files that were found in its folder can be named, so no path leads anywhere else. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { messagePage } from './message-page.ts';

export type StaticFiles = (request: Request) => Promise<Response>;

type Found = {
  readonly file: string;
  readonly bytes: number;
  readonly tag: string;
  /** The same compressed, by the name of the encoding. */
  readonly packed: ReadonlyMap<string, { readonly file: string; readonly bytes: number }>;
};

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** What the bundler puts into such a name changes with the content. */
const hashedName = /\/assets\/[^/]+-[\w-]{8,}\.[a-z0-9]+$/;

/** A new build is seen when something is asked for that is not there, at most this often. */
const lookAgainMs = 1_000;

export function createStaticFiles(folder: string): StaticFiles {
  let found: Promise<ReadonlyMap<string, Found>> | undefined;
  let lookedAt = 0;

  async function find(name: string): Promise<Found | undefined> {
    const known = (await found)?.get(name);
    if (known !== undefined && (await isCurrent(known))) return known;
    if (found === undefined || Date.now() - lookedAt >= lookAgainMs) {
      found = lookThrough(folder);
      lookedAt = Date.now();
    }
    return (await found).get(name);
  }

  return async (request) => {
    const name = decode(new URL(request.url).pathname);
    // Places inside the app have no dot; the app itself knows them.
    const isPlace = name !== undefined && !path.basename(name).includes('.');
    const file =
      name === undefined ? undefined : ((await find(name)) ?? (isPlace ? await find('/index.html') : undefined));
    if (file !== undefined) return fileResponse(request, file);
    if (isPlace)
      return messagePage(
        503,
        'The web app is not built',
        'Run npm run build in the folder of Handrail, then load this page again.',
      );
    return messagePage(404, 'Not found', 'There is nothing under this address.');
  };
}

function decode(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname);
  } catch {
    // No text at all: nothing has such a name.
    return undefined;
  }
}

async function isCurrent({ file, tag }: Found): Promise<boolean> {
  const now = await stat(file).catch(() => undefined);
  return now !== undefined && tagOf(now) === tag;
}

const tagOf = (file: { readonly size: number; readonly mtimeMs: number }): string =>
  `"${file.size.toString(36)}-${Math.round(file.mtimeMs).toString(36)}"`;

async function lookThrough(folder: string): Promise<ReadonlyMap<string, Found>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = new Map<string, { readonly size: number; readonly mtimeMs: number }>();
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    // Links are not followed: the folder is all there is.
    const facts = entry.isFile() ? await stat(file).catch(() => undefined) : undefined;
    if (facts !== undefined) sizes.set(file, facts);
  }
  const found = new Map<string, Found>();
  for (const [file, facts] of sizes) {
    const packed = encodings.flatMap(([encoding, ending]) => {
      const size = sizes.get(file + ending)?.size;
      return size === undefined ? [] : [[encoding, { file: file + ending, bytes: size }] as const];
    });
    const name = `/${path.relative(folder, file).split(path.sep).join('/')}`;
    found.set(name, { file, bytes: facts.size, tag: tagOf(facts), packed: new Map(packed) });
  }
  return found;
}

function fileResponse(request: Request, found: Found): Response {
  const ending = path.extname(found.file);
  const isHashed = hashedName.test(found.file);
  const headers: Record<string, string> = {
    'content-type': mediaTypes[ending] ?? 'application/octet-stream',
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: found.tag,
    vary: 'accept-encoding',
  };
  if (request.headers.get('if-none-match') === found.tag) return new Response(undefined, { status: 304, headers });
  const accepted = (request.headers.get('accept-encoding') ?? '').split(',').map((each) => each.trim().split(';')[0]);
  const encoding = [...found.packed.keys()].find((each) => accepted.includes(each));
  const { file, bytes } = found.packed.get(encoding ?? '') ?? found;
  if (encoding !== undefined) headers['content-encoding'] = encoding;
  headers['content-length'] = String(bytes);
  const body = request.method === 'HEAD' ? undefined : (Readable.toWeb(createReadStream(file)) as ReadableStream);
  return new Response(body ?? null, { headers });
}
