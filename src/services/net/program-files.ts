/** Makes the folder that sandboxes are shown: configuration of programs, the listener's script, Node's libraries. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { NodeLibraries } from './node-libraries.ts';
import type { ConfigurationText } from './program-configuration.ts';

const keptForMs = 24 * 60 * 60 * 1000;

/**
 * Its path, below `parent`. Named by its content and never changed: other processes of ours show the same one.
 * Copies, since the machine's files may be exchanged under a running program by an update. Throws system errors.
 */
export function prepareProgramFiles(
  parent: string,
  texts: Readonly<Record<string, ConfigurationText>>,
  /** Undefined: no Node is to run there. */
  libraries: NodeLibraries | undefined,
): string {
  const sources = [...(libraries?.files ?? [])].map(([name, path]) => {
    const { size, mtimeMs } = statSync(path);
    return { name, path, size, mtimeMs };
  });
  const stamp = createHash('sha256')
    .update(JSON.stringify([texts, sources]))
    .digest('hex')
    .slice(0, 24);
  const folder = join(parent, `net-${stamp}`);
  if (existsSync(folder)) return folder;
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const draft = mkdtempSync(join(parent, 'net-draft-'));
  try {
    // The sandbox's user may be another one than we are, whatever our umask is.
    chmodSync(draft, 0o755);
    mkdirSync(join(draft, 'lib'));
    chmodSync(join(draft, 'lib'), 0o755);
    for (const [name, { text, mode }] of Object.entries(texts)) {
      writeFileSync(join(draft, name), text);
      chmodSync(join(draft, name), mode);
    }
    for (const { name, path } of sources) {
      if (name === libraries?.loader) writeFileSync(join(draft, 'lib', name), withoutPreloads(readFileSync(path)));
      else copyFileSync(path, join(draft, 'lib', name));
      chmodSync(join(draft, 'lib', name), 0o755);
    }
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process of ours was faster.
    if (!existsSync(folder)) throw error;
  }
  removeOldOnes(parent, folder);
  return folder;
}

/**
 * glibc's loader takes libraries that /etc/ld.so.preload names into every program (ld.so(8)), and no option forbids it. In a
 * userland that file is the commands'. This copy looks in /run, where nothing is before the first program; as long as before.
 */
export function withoutPreloads(loader: Buffer): Buffer {
  return Buffer.from(loader.toString('latin1').replaceAll('/etc/ld.so.', '/run/ld.so.'), 'latin1');
}

/** Not at once: a sandbox of another process may still show one of them. */
function removeOldOnes(parent: string, current: string): void {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (path === current || !name.startsWith('net-')) continue;
    const info = statSync(path, { throwIfNoEntry: false });
    if (info !== undefined && Date.now() - info.ctimeMs > keptForMs) rmSync(path, { recursive: true, force: true });
  }
}
