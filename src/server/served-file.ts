/** A file of somebody's as an answer: whatever it holds, nothing of it runs with the rights of the app (SECURITY A38). */
import path from 'node:path';
import { attachmentNamed } from '../base/content-disposition.ts';
import type { OpenFile } from '../contract/person-files.ts';

type Kind = 'image' | 'page' | 'document';

/** What may be shown. All else is given out as bytes to be kept. */
const seen: Readonly<Record<string, readonly [mediaType: string, kind: Kind]>> = {
  '.png': ['image/png', 'image'],
  '.jpg': ['image/jpeg', 'image'],
  '.jpeg': ['image/jpeg', 'image'],
  '.gif': ['image/gif', 'image'],
  '.webp': ['image/webp', 'image'],
  '.avif': ['image/avif', 'image'],
  '.bmp': ['image/bmp', 'image'],
  '.ico': ['image/x-icon', 'image'],
  '.svg': ['image/svg+xml', 'image'],
  '.pdf': ['application/pdf', 'document'],
  '.html': ['text/html; charset=utf-8', 'page'],
  '.htm': ['text/html; charset=utf-8', 'page'],
};

const policies: Readonly<Record<Kind, string>> = {
  image: "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
  // The browser's viewer of PDF does not start in a sandboxed frame; it keeps the scripts of a document to itself.
  document: "script-src 'none'; connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  page: pagePolicy('sandbox', "'none'"),
};

/** An origin of its own, which nobody shares, and nothing to be asked of anybody. The page around it keeps it from going elsewhere. */
const policyOfFrame = pagePolicy('sandbox allow-scripts', "'unsafe-inline' 'unsafe-eval' blob: data:");

function pagePolicy(sandbox: string, scripts: string): string {
  return [
    sandbox,
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'unsafe-inline' data:",
    'img-src data: blob:',
    'font-src data:',
    'media-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

/** A page that is larger is a download. */
const maxPageBytes = 8_000_000;

export async function serveFile(
  file: OpenFile,
  { header, isDownload }: { header(name: string): string | undefined; readonly isDownload: boolean },
): Promise<Response> {
  const name = path.posix.basename(file.info.path);
  const { bytes } = file.info;
  const [mediaType, kind] = (isDownload ? undefined : seen[path.extname(name).toLowerCase()]) ?? [];
  if (kind === 'page' && bytes <= maxPageBytes) return servePage(file, header);
  if (kind === 'page') return serveFile(file, { header, isDownload: true });
  const range = readRange(header('range'), bytes);
  if (range === 'none') {
    void file.close();
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${bytes}` } });
  }
  const headers = new Headers({
    'content-type': mediaType ?? 'application/octet-stream',
    'content-length': String(range === undefined ? bytes : range.to - range.from + 1),
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    'x-dns-prefetch-control': 'off',
    'content-security-policy': kind === undefined ? "sandbox; default-src 'none'" : policies[kind],
    ...(kind === undefined ? { 'content-disposition': attachmentNamed(name) } : { 'x-frame-options': 'SAMEORIGIN' }),
    ...(range === undefined ? {} : { 'content-range': `bytes ${range.from}-${range.to}/${bytes}` }),
  });
  return new Response(file.content(bytes === 0 ? undefined : (range ?? { from: 0, to: bytes - 1 })), {
    status: range === undefined ? 200 : 206,
    headers,
  });
}

/** Scripts run in a frame of our viewer, and not where the address was opened by itself: there nothing would hold the page. */
async function servePage(file: OpenFile, header: (name: string) => string | undefined): Promise<Response> {
  const isFramed = header('sec-fetch-dest') === 'iframe';
  const found = Buffer.from(await new Response(file.content()).arrayBuffer());
  return new Response(withoutLinks(found), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-dns-prefetch-control': 'off',
      'content-security-policy': isFramed ? policyOfFrame : policies.page,
      'x-frame-options': 'SAMEORIGIN',
    },
  });
}

/**
 * `rel=preconnect` opens a connection whatever the content policy says (seen in Chromium). What else a link could bring is
 * forbidden here anyhow. Bytes, not text: a byte order mark of UTF-16 would make it another text, so it goes.
 */
function withoutLinks(page: Buffer): Buffer<ArrayBuffer> {
  const text = page.toString('latin1').replace(/^(?:\xff\xfe|\xfe\xff)+/, '');
  return Buffer.from(text.replaceAll(/<link(?=[\s/>])/gi, '<x-link'), 'latin1');
}

/** One range of bytes (RFC 9110, 14.1.2). Undefined: all of it, also for what is no such range. `none`: it lies behind the end. */
function readRange(header: string | undefined, bytes: number): { from: number; to: number } | 'none' | undefined {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  const [, first = '', last = ''] = found ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '')
    return last === '0' || bytes === 0 ? 'none' : { from: Math.max(0, bytes - Number(last)), to: bytes - 1 };
  const from = Number(first);
  const to = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (last !== '' && Number(last) < from) return undefined;
  return from >= bytes ? 'none' : { from, to };
}
