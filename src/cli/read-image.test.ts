import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MisuseFailure } from '../contract/failure.ts';
import { readImage } from './read-image.ts';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'handrail-image-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const file = async (bytes: Buffer): Promise<string> => {
  const name = path.join(folder, 'image');
  await writeFile(name, bytes);
  return name;
};

it.each([
  ['image/png', '89504e470d0a1a0a0000000d'],
  ['image/jpeg', 'ffd8ffe000104a4649460001'],
  ['image/gif', '474946383961010001000000'],
  ['image/webp', '524946462400000057454250'],
])('knows %s by its first bytes, whatever the file is called', async (mediaType, hex) => {
  const bytes = Buffer.from(hex, 'hex');
  expect(await readImage(await file(bytes))).toEqual({ type: 'image', mediaType, data: bytes.toString('base64') });
});

it('refuses what is no image, too large, a folder or missing, and says which', async () => {
  await expect(readImage(await file(Buffer.from('<svg/>')))).rejects.toThrow('no PNG, JPEG, GIF or WebP');
  await expect(readImage(await file(Buffer.alloc(4_000_000)))).rejects.toThrow('smaller');
  await expect(readImage(folder)).rejects.toThrow(MisuseFailure);
  await expect(readImage(path.join(folder, 'nowhere'))).rejects.toThrow('ENOENT');
});
