/** Writes tar archives as no decent program would: any name, any type, any link. */

export type TarEntry = {
  readonly name: string | Buffer;
  /** tar(5): 0 file, 1 hard link, 2 link, 3 and 4 devices, 5 folder, 6 pipe. Default 0. */
  readonly type?: string;
  readonly text?: string;
  readonly link?: string;
  readonly mode?: number;
};

/** Names over 100 bytes by GNU's long-name entries. */
export function writeTar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const name = Buffer.isBuffer(entry.name) ? entry.name : Buffer.from(entry.name);
    const long =
      name.length > 100
        ? writeEntry(Buffer.from('././@LongLink'), { type: 'L' }, Buffer.concat([name, Buffer.alloc(1)]))
        : [];
    return [...long, ...writeEntry(name.subarray(0, 100), entry, Buffer.from(entry.text ?? ''))];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function writeEntry(name: Buffer, entry: Omit<TarEntry, 'name'>, content: Buffer): Buffer[] {
  const header = Buffer.alloc(512);
  name.copy(header, 0);
  header.write(`${(entry.mode ?? 0o644).toString(8).padStart(7, '0')}\0`, 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(entry.type ?? '0', 156);
  header.write((entry.link ?? '').slice(0, 100), 157);
  header.write('ustar\u000000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
  return [header, content, padding];
}
