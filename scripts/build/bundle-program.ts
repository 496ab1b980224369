/** Bundles the program: one entry for main, one for every tool, one for every program of its own; shared code in chunks. */
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';

/**
 * What must stay a package of its own: it finds files beside itself, or it is native, or it is there only where the user
 * installed it. Everything else is bundled, since one file is read faster than a thousand.
 */
const keptApart = [
  '@lydell/node-pty',
  '@vscode/ripgrep',
  '@napi-rs/keyring',
  'pg-native',
  'sharp',
  'react-devtools-core',
];

/** The files of dist/ by name relative to it. */
export async function bundleProgram(root: string): Promise<Map<string, string>> {
  const build = await rolldown({
    cwd: root,
    input: await findEntries(root),
    platform: 'node',
    external: (id) => id.startsWith('node:') || keptApart.some((name) => id === name || id.startsWith(`${name}/`)),
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    onLog(level, log, pass) {
      // A package's own circle is not ours to break; everything else stops the build.
      if (log.code === 'CIRCULAR_DEPENDENCY' || log.code === 'EVAL') return;
      if (level === 'warn') throw new Error(`${log.code ?? 'warning'}: ${log.message}`);
      pass(level, log);
    },
  });
  try {
    const { output } = await build.generate({
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      comments: false,
      // Names stay, for stacks in the log; without its white space the code is read and compiled faster.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    });
    return new Map(
      output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : Buffer.from(file.source).toString()]),
    );
  } finally {
    await build.close();
  }
}

/** Entry name in dist/ → source file. A `*.process.ts` is started as a program of its own, so it needs a file of its own. */
export async function findEntries(root: string): Promise<Record<string, string>> {
  const entries: Record<string, string> = { main: 'src/main.ts' };
  for await (const file of glob('src/{tools/*/*.ts,**/*.process.ts}', { cwd: root })) {
    const base = path.basename(file);
    if (base.endsWith('.test.ts') || base.startsWith('_') || file.startsWith('src/tools/_')) continue;
    entries[file.slice('src/'.length, -'.ts'.length)] = file;
  }
  return Object.fromEntries(Object.entries(entries).sort(([left], [right]) => (left < right ? -1 : 1)));
}
