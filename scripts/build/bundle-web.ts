/** Bundles the web app: hashed file names, no inline script or style, and each text file also compressed. */
import { createHash } from 'node:crypto';
import { glob, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const stampName = 'web/.stamp';

/**
 * The files of dist/ by name relative to it. Those of the last build are taken where nothing has changed: most changes are none of
 * the web app's. `forRelease`: built anyhow, and compressed as far as it goes, which takes longer than all the rest.
 */
export async function bundleWeb(
  root: string,
  { forRelease }: { readonly forRelease: boolean },
): Promise<Map<string, Uint8Array>> {
  const stamp = await hashSources(root);
  const last = forRelease ? undefined : await readLastBuild(path.join(root, 'dist'), stamp);
  if (last !== undefined) return last;
  const files = await buildFiles(root);
  const texts = [...files].filter(([name]) => isText(name));
  await Promise.all(texts.map(([name, bytes]) => addCompressed(files, name, bytes, forRelease)));
  return files.set(stampName, Buffer.from(stamp));
}

async function hashSources(root: string): Promise<string> {
  const hash = createHash('sha256');
  const names: string[] = [];
  for await (const name of glob('src/web/**/*.*', { cwd: root })) if (!/\.test\.tsx?$/.test(name)) names.push(name);
  for (const name of [...names.sort(), 'package-lock.json', 'scripts/build/bundle-web.ts']) {
    hash.update(`${name}\0`).update(await readFile(path.join(root, name)));
  }
  return hash.digest('hex');
}

/** Undefined: there is none, or it was made of something else. */
async function readLastBuild(dist: string, stamp: string): Promise<Map<string, Uint8Array> | undefined> {
  const last = await readFile(path.join(dist, stampName), 'utf8').catch(() => undefined);
  if (last !== stamp) return undefined;
  const entries = await readdir(path.join(dist, 'web'), { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dist, path.join(entry.parentPath, entry.name)));
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(path.join(dist, name))] as const)));
}

async function buildFiles(root: string): Promise<Map<string, Uint8Array>> {
  const { build } = await import('vite');
  const result = await build({
    root: path.join(root, 'src/web'),
    configFile: false,
    envFile: false,
    logLevel: 'silent',
    // Whatever NODE_ENV says where it is built: React's other half is twice as large and much slower.
    mode: 'production',
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    // The worker that all tabs share has imports, which an old-style one cannot.
    worker: { format: 'es' },
    // Written by install-files, beside what runs; public/ is read below.
    build: {
      write: false,
      copyPublicDir: false,
      target: 'es2022',
      // A font or picture as data: would pass the content policy, but is loaded also where it is not needed.
      assetsInlineLimit: 0,
      // The helper would be one more script; every browser of the target knows modulepreload.
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  });
  if (Array.isArray(result) || !('output' in result))
    throw new Error('the web app was built as something else than one page');
  const files = new Map<string, Uint8Array>();
  for (const file of result.output) {
    files.set(`web/${file.fileName}`, Buffer.from(file.type === 'chunk' ? file.code : file.source));
  }
  for (const [name, bytes] of await readPublic(path.join(root, 'src/web/public'))) files.set(`web/${name}`, bytes);
  return files;
}

/** Files with fixed names that the browser asks for by itself: the icon, later the manifest. */
async function readPublic(folder: string): Promise<readonly (readonly [string, Uint8Array])[]> {
  const names = await readdir(folder);
  return Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))] as const));
}

const isText = (name: string): boolean => /\.(html|js|css|svg|json|webmanifest)$/.test(name);

async function addCompressed(
  files: Map<string, Uint8Array>,
  name: string,
  bytes: Uint8Array,
  forRelease: boolean,
): Promise<void> {
  const quality = forRelease ? constants.BROTLI_MAX_QUALITY : 5;
  files.set(
    `${name}.br`,
    await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
  );
  files.set(`${name}.gz`, await promisify(gzip)(bytes));
}
