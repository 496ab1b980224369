/** Cuts a program's output into records while it arrives, holding no more than one record. */

/** Names that end in NUL, as `rg --files --null` and `find -print0` print them. Names are bytes (path_resolution(7)). */
export function createNameReader(onName: (name: Buffer) => boolean): (chunk: Buffer) => boolean {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    let data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0)) {
      if (!onName(data.subarray(0, end))) return false;
      data = data.subarray(end + 1);
    }
    rest = data;
    return true;
  };
}

export type RawHit = {
  readonly path: Buffer;
  readonly lineNumber: number;
  /** Where the line begins in the file, in bytes. */
  readonly offset: number;
  /** The line, or as much of its beginning as is kept. */
  readonly line: Buffer;
};

/** Enough for 2,000 characters of any script. */
export const maxLineBytes = 8_000;

/** Records `path NUL line : offset : text LF`, as both `rg --null -n -b` and `grep -Znb` print them. Long texts are cut. */
export function createHitReader(onHit: (hit: RawHit) => boolean): (chunk: Buffer) => boolean {
  const ends = [0x00, 0x3a, 0x3a, 0x0a];
  let fields: Buffer[] = [];
  let pieces: Buffer[] = [];
  let kept = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length;) {
      const end = chunk.indexOf(ends[fields.length] ?? 0x0a, at);
      const piece = chunk.subarray(at, Math.min(end < 0 ? chunk.length : end, at + maxLineBytes - kept));
      // A copy: the stream's chunk is large, and what is kept of it may be small.
      if (piece.length > 0) pieces.push(end < 0 ? Buffer.from(piece) : piece);
      kept += piece.length;
      if (end < 0) return true;
      fields.push(pieces.length === 1 ? (pieces[0] ?? piece) : Buffer.concat(pieces));
      [pieces, kept, at] = [[], 0, end + 1];
      const [path, line, offset, text] = fields;
      if (path === undefined || line === undefined || offset === undefined || text === undefined) continue;
      fields = [];
      if (
        !onHit({
          path: withoutWarning(path),
          lineNumber: Number(line.toString()),
          offset: Number(offset.toString()),
          line: Buffer.from(text),
        })
      )
        return false;
    }
    return true;
  };
}

/** ripgrep ends its report on a file that turns out to be binary with a sentence that has no NUL behind the name. */
function withoutWarning(path: Buffer): Buffer {
  if (!path.includes(0x0a)) return path;
  const text = path.toString('latin1');
  const cut = /^(?:[\s\S]*?: (?:WARNING: stopped searching binary file|binary file matches)[^\n]*\n)+/.exec(text);
  return cut === null ? path : path.subarray(cut[0].length);
}
