/** Files of a conversation's workspace and of the sandbox's home. What is given out runs nothing: see served-file.ts. */
import { decodeText } from '../../base/decode-text.ts';
import { z } from 'zod';
import { ToolFailure } from '../../contract/failure.ts';
import type { PersonFiles } from '../../contract/person-files.ts';
import {
  maxTextBytes,
  type WebFileMove,
  type WebFilePath,
  type WebFileQuery,
  type WebFileText,
  type WebNewText,
  type WebSavedText,
} from '../../contract/web-files.ts';
import { RequestFailure } from '../request-failure.ts';
import { defineRoute, type Route, type RouteRequest } from '../route.ts';
import { serveFile } from '../served-file.ts';
import { flag, wholeNumber } from './inputs.ts';
import type { RouteParts } from './route-parts.ts';

const conversation = z.string().max(200).exactOptional();
/** Linux takes 4,096 bytes at most (path_resolution(7)); the services say so. */
const path = z.string().min(1).max(8_192);
const place = { conversation, path };
/** Of any file, sent by a page. */
const maxUploadBytes = 1_000_000_000;

export function fileRoutes(parts: RouteParts): readonly Route[] {
  return [...lookRoutes(parts), ...changeRoutes(parts), ...byteRoutes(parts)];
}

/** Rejects with not_found, also while the conversation is being removed. */
async function filesOf({ handrail, list }: RouteParts, id: string | undefined): Promise<PersonFiles> {
  return handrail.files(id === undefined ? undefined : (await list.find(id)).id);
}

function lookRoutes(parts: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/files/places',
      policy: 'session',
      summary: 'The folders whose files can be reached',
      input: z.strictObject({ conversation }),
      handle: async ({ input }) => (await filesOf(parts, input.conversation)).places(),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/files',
      policy: 'session',
      summary: 'What is in a folder, a page at a time',
      input: z.strictObject({
        ...place,
        offset: wholeNumber(10_000).exactOptional(),
        limit: wholeNumber(1_000).exactOptional(),
      }),
      handle: async ({ input: { conversation: id, path: folder, offset = 0, limit = 500 } }) =>
        (await filesOf(parts, id)).list(folder, { offset, limit: Math.max(1, limit) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/files/info',
      policy: 'session',
      summary: 'Kind, size and time of a file',
      input: z.strictObject(place),
      async handle({ input }: RouteRequest<WebFileQuery>) {
        const info = await (await filesOf(parts, input.conversation)).info(input.path);
        if (info !== undefined) return info;
        throw new RequestFailure('not_found', `${input.path} is not there any more.`);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/files/text',
      policy: 'session',
      summary: 'A text to be edited, or why it is none',
      input: z.strictObject(place),
      handle: async ({ input }: RouteRequest<WebFileQuery>) =>
        readText(await filesOf(parts, input.conversation), input.path),
    }),
  ];
}

async function readText(files: PersonFiles, name: string): Promise<WebFileText> {
  const info = await files.info(name);
  if (info === undefined) throw new RequestFailure('not_found', `${name} is not there. Look at its folder again.`);
  if (info.kind === 'file' && info.bytes > maxTextBytes) return { kind: 'too-large', maxBytes: maxTextBytes, info };
  const { bytes, hash, info: read } = await files.read(name, maxTextBytes);
  const decoded = decodeText(bytes);
  if (decoded.kind === 'text') return { kind: 'text', text: decoded.text, hash, info: read };
  return { kind: 'binary', guess: decoded.guess, info: read };
}

function changeRoutes(parts: RouteParts): readonly Route[] {
  /** One act on one path. */
  const act = (name: string, summary: string, doIt: (files: PersonFiles, path: string) => Promise<unknown>): Route =>
    defineRoute({
      method: 'POST',
      path: `/api/files/${name}`,
      policy: 'session',
      summary,
      input: z.strictObject(place),
      handle: async ({ input }: RouteRequest<WebFilePath>) =>
        doIt(await filesOf(parts, input.conversation), input.path),
    });
  return [
    act('folder', 'Makes a folder', (files, name) => files.makeFolder(name)),
    act('trash', 'Moves into the trash, folders with all that is in them', (files, name) => files.remove(name)),
    act('restore', 'Brings back the newest removal of a path', (files, name) => files.restore(name)),
    defineRoute({
      method: 'POST',
      path: '/api/files/move',
      policy: 'session',
      summary: 'Renames or moves; never overwrites',
      input: z.strictObject({ ...place, destination: path }),
      handle: async ({ input }: RouteRequest<WebFileMove>) =>
        (await filesOf(parts, input.conversation)).move(input.path, input.destination),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/files/text',
      policy: 'session',
      summary: 'Writes a text, if what was read is still there',
      input: z.strictObject({
        ...place,
        text: z.string(),
        expected: z.string().length(64).nullable().exactOptional(),
      }),
      // JSON escapes a control character by six.
      maxBytes: maxTextBytes * 6,
      async handle({ input }: RouteRequest<WebNewText>): Promise<WebSavedText> {
        const bytes = Buffer.from(input.text);
        if (bytes.byteLength > maxTextBytes)
          throw new RequestFailure('too_large', `A text of more than ${maxTextBytes} bytes cannot be saved here.`);
        const files = await filesOf(parts, input.conversation);
        const { hash, info } = await files.write(input.path, bytes, input.expected);
        return { hash, info };
      },
    }),
  ];
}

function byteRoutes(parts: RouteParts): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/files/raw',
      policy: 'session',
      summary: 'The bytes of a file: to be seen where that is safe, else as a download',
      input: z.strictObject({ ...place, download: flag.exactOptional() }),
      async handle({ input, header }) {
        const file = await (await filesOf(parts, input.conversation)).open(input.path);
        return serveFile(file, { header, isDownload: input.download === '1' });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/files/upload',
      policy: 'session',
      summary: 'Takes the bytes of a file (application/octet-stream)',
      takesBytes: true,
      input: z.strictObject({ ...place, replaces: flag.exactOptional() }),
      maxBytes: maxUploadBytes,
      async handle({ input, body }) {
        if (body === undefined) throw new ToolFailure('invalid_input', 'Nothing was sent.');
        const files = await filesOf(parts, input.conversation);
        return (await files.receive(input.path, body, { replaces: input.replaces === '1' })).info;
      },
    }),
  ];
}
