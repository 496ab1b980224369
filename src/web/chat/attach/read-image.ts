/** A picture as a model can take it: upright, at most 2,000 pixels wide and high, in a kind that every provider knows. */
import type { TurnImage } from '../screen.ts';

/** Providers scale down what is larger, after it was paid for in time. */
const maxSidePixels = 2_000;
/** What a picture may weigh as it is. */
const maxBytes = 3 * 1024 * 1024;

/** These go as they are where they are small enough. A photo is drawn anew, so that it stands upright and names no place. */
const asTheyAre: ReadonlySet<string> = new Set(['image/png', 'image/webp', 'image/gif']);

/** Undefined: no picture that this browser can read. */
export async function readImage(file: Blob): Promise<TurnImage | undefined> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => undefined);
  if (bitmap === undefined) return undefined;
  try {
    const scale = Math.min(1, maxSidePixels / Math.max(bitmap.width, bitmap.height));
    if (scale === 1 && asTheyAre.has(file.type) && file.size <= maxBytes)
      return { mediaType: file.type, data: await base64Of(file) };
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const blob = await smallEnough(canvas, file.type);
    return blob === undefined ? undefined : { mediaType: blob.type, data: await base64Of(blob) };
  } finally {
    bitmap.close();
  }
}

/** A drawing stays exact where that is small enough; anything else becomes a photo. */
async function smallEnough(canvas: HTMLCanvasElement, kind: string): Promise<Blob | undefined> {
  const exact = kind === 'image/jpeg' ? undefined : await drawn(canvas, 'image/png');
  if (exact !== undefined && exact.size <= maxBytes) return exact;
  return drawn(canvas, kind === 'image/jpeg' ? 'image/jpeg' : 'image/webp');
}

const drawn = (canvas: HTMLCanvasElement, kind: string): Promise<Blob | undefined> =>
  new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), kind, 0.9));

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
