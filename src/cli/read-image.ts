/** An image file for the model's context. */
import { open } from 'node:fs/promises';
import { MisuseFailure } from '../contract/failure.ts';
import type { ImagePart } from '../contract/message.ts';

/** Providers refuse more: the strictest takes 5 MB of base64. */
const maxBytes = 3_700_000;

/** First bytes of the formats that every provider takes (PNG 5.2, JPEG SOI, GIF89a 17, RFC 9649). */
const formats: readonly (readonly [mediaType: string, matches: (head: string) => boolean])[] = [
  ['image/png', (head) => head.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (head) => head.startsWith('\xff\xd8\xff')],
  ['image/gif', (head) => head.startsWith('GIF87a') || head.startsWith('GIF89a')],
  ['image/webp', (head) => head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP'],
];

/** Rejects with MisuseFailure when it is no such file. */
export async function readImage(file: string): Promise<ImagePart> {
  const bytes = await readBytes(file);
  const head = bytes.subarray(0, 12).toString('latin1');
  const mediaType = formats.find(([, matches]) => matches(head))?.[0];
  if (mediaType === undefined) throw new MisuseFailure(`${file} is no PNG, JPEG, GIF or WebP image. Convert it first.`);
  return { type: 'image', mediaType, data: bytes.toString('base64') };
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    const handle = await open(file);
    try {
      const info = await handle.stat();
      if (!info.isFile()) throw new MisuseFailure(`${file} is no file. Name an image.`);
      if (info.size > maxBytes) {
        throw new MisuseFailure(
          `${file} has ${info.size} bytes; models take up to ${maxBytes}. Make it smaller first.`,
        );
      }
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof MisuseFailure) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new MisuseFailure(`The image ${file} cannot be read (${code ?? 'unknown reason'}). Check its name.`, {
      cause: error,
    });
  }
}
