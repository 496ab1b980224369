/** Opens one regular file to be read piece by piece, whatever its size. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { OpenFile } from '../../contract/person-files.ts';
import { checkRegular, toFileInfo } from './file-info.ts';
import { MovedPath, openVerified, pathOf, using, type VerifyOpened } from './open-verified.ts';
import type { Located } from './path-guard.ts';

/** The file that was checked, not whatever has its name by then. */
export async function openForReading(target: Located, verify: VerifyOpened): Promise<OpenFile> {
  return using(openVerified(target.realPath, verify), async (object) => {
    const stats = await object.stat();
    if (stats.isSymbolicLink()) throw new MovedPath(target.shownPath);
    checkRegular(stats, target.shownPath);
    const file = await open(pathOf(object), constants.O_RDONLY | constants.O_NONBLOCK);
    return {
      info: toFileInfo(target.shownPath, stats),
      content(range) {
        const part = range === undefined ? {} : { start: range.from, end: range.to };
        return Readable.toWeb(file.createReadStream({ ...part, autoClose: true })) as ReadableStream<Uint8Array>;
      },
      close: () => file.close(),
    };
  });
}
