/** Every file below a folder with its bytes, for looking through all that was left on disk. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** `leavesOut`: told the names of the first level. Sockets, pipes and links are passed over. */
export function* readAll(
  folder: string,
  leavesOut: (name: string) => boolean = () => false,
): Generator<{ readonly name: string; readonly bytes: Buffer }> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const name = path.join(entry.parentPath, entry.name);
    const [first = ''] = path.relative(folder, name).split(path.sep);
    if (entry.isFile() && !leavesOut(first)) yield { name, bytes: readFileSync(name) };
  }
}
