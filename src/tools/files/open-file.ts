/** open_file: shows one file of the sandbox to the user. */
import { posix } from 'node:path';
import { z } from 'zod';
import { isInside } from '../../base/is-inside.ts';
import { oneLine } from '../../base/one-line.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { Files } from '../../contract/services.ts';
import { defineTool } from '../../contract/tool.ts';

const folders = { home: '~', workspace: '.' } as const;

const below = (path: string): boolean => !path.startsWith('/') && !path.split('/').includes('..');

export default defineTool({
  title: 'Open file',
  description:
    'Open one file for the user: HTML in a browser, PNG and JPG in an image viewer, PDF in a PDF viewer. ' +
    'Only this file is served, so write HTML self-contained, with inline CSS and JavaScript.',
  input: z.strictObject({
    path: z
      .string()
      .min(1)
      .refine(below, 'must be relative to the folder, without a leading slash and without ..')
      .describe('relative to home, for example plot.html; no leading slash, no ..'),
    folder: z.enum(['home', 'workspace']).default('home').describe('what path is relative to'),
  }),
  output: z.object({
    success: z.boolean(),
    path: z.string(),
    mime_type: z.string(),
    opened_in: z.enum(['browser', 'desktop', 'none']),
  }),
  needs: ['files', 'viewer'],
  access: ({ path, folder }) => [{ kind: 'path', path: `${folders[folder]}/${path}`, mode: 'read' }],
  effect: 'once',
  summary: ({ path }) => oneLine(path),
  async run({ path, folder }, { files, viewer }) {
    const place = `${folders[folder]}/${path}`;
    const shown = await findFile(files, place, folder);
    const { way } = await viewer.show(place);
    const said = {
      browser: `Opened ${shown} in the viewer of the web app.`,
      desktop: `Opened ${shown} on the desktop.`,
      none: `Nobody looks at this conversation in a browser, and no desktop can open it. The file is ${shown}; tell the user.`,
    } as const;
    return {
      text: said[way],
      view: { kind: 'files', files: [{ path: shown }] },
      data: { success: way !== 'none', path: shown, mime_type: typeOf(shown), opened_in: way },
    };
  },
});

/** An existing regular file that really lies below the folder, wherever links lead. */
async function findFile(files: Files, place: string, folder: keyof typeof folders): Promise<string> {
  const [file, root] = [await files.check(place, 'read'), await files.check(folders[folder], 'read')];
  if (!isInside(file.realPath, root.realPath))
    throw new ToolFailure(
      'denied',
      `${file.path} leads out of the ${folder} folder; only files that really lie in it are opened. Copy the file there first.`,
    );
  const info = await files.info(place);
  if (info === undefined)
    throw new ToolFailure(
      'not_found',
      `There is no ${file.path}. The path is relative to ${folder === 'home' ? 'the private home ~; for a file of the workspace set folder to "workspace"' : 'the workspace; for a file of the private home leave folder out'}.`,
    );
  if (info.kind !== 'file')
    throw new ToolFailure('invalid_input', `${file.path} is no file. Name a single file in it.`);
  return file.path;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.pdf': 'application/pdf',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.stl': 'model/stl',
  '.zip': 'application/zip',
};

/** What nobody knows is taken for text, as most files of a home are. */
const typeOf = (path: string): string => types[posix.extname(path).toLowerCase()] ?? 'text/plain';
