/** Bundles the web app: hashed file names, no inline script or style, and each text file also compressed. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** The files of dist/ by name relative to it. */
export async function bundleWeb(root: string): Promise<Map<string, Uint8Array>> {
  const { build } = await import('vite');
  const result = await build({
    root: path.join(root, 'src/web'),
    configFile: false,
    envFile: false,
    logLevel: 'silent',
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
  await Promise.all(
    [...files].filter(([name]) => isText(name)).map(([name, bytes]) => addCompressed(files, name, bytes)),
  );
  return files;
}

/** Files with fixed names that the browser asks for by itself: the icon, later the manifest. */
async function readPublic(folder: string): Promise<readonly (readonly [string, Uint8Array])[]> {
  const names = await readdir(folder);
  return Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))] as const));
}

const isText = (name: string): boolean => /\.(html|js|css|svg|json|webmanifest)$/.test(name);

async function addCompressed(files: Map<string, Uint8Array>, name: string, bytes: Uint8Array): Promise<void> {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  files.set(`${name}.br`, await promisify(brotliCompress)(bytes, quality));
  files.set(`${name}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }));
}
