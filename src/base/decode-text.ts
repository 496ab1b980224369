/** Decides whether bytes are text that a person could edit, and decodes them. */
import { isUtf8 } from 'node:buffer';

export type Decoded =
  | { readonly kind: 'text'; readonly text: string }
  /** Holds a NUL byte. `guess` names what it probably is. */
  | { readonly kind: 'binary'; readonly guess: string }
  | { readonly kind: 'not-utf8'; readonly guess: string };

const signatures: readonly (readonly [string, string])[] = [
  ['89504e47', 'a PNG image'],
  ['ffd8ff', 'a JPEG image'],
  ['47494638', 'a GIF image'],
  ['52494646', 'a RIFF file (WebP, WAV or AVI)'],
  ['25504446', 'a PDF document'],
  ['504b0304', 'a ZIP archive (or an Office document)'],
  ['1f8b', 'gzip data'],
  ['28b52ffd', 'zstd data'],
  ['fd377a585a', 'xz data'],
  ['7f454c46', 'an ELF program'],
  ['53514c69746520666f726d6174', 'an SQLite database'],
  ['fffe', 'UTF-16 text'],
  ['feff', 'UTF-16 text'],
];

/** A byte order mark stays in the text, so that writing it back changes nothing. */
export function decodeText(bytes: Buffer): Decoded {
  const hex = bytes.subarray(0, 16).toString('hex');
  const guess = signatures.find(([signature]) => hex.startsWith(signature))?.[1];
  if (bytes.includes(0)) return { kind: 'binary', guess: guess ?? 'binary data' };
  if (!isUtf8(bytes)) return { kind: 'not-utf8', guess: guess ?? 'text in an older encoding such as Latin-1' };
  return { kind: 'text', text: bytes.toString('utf8') };
}
