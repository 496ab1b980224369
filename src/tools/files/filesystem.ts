/** filesystem: one tool for everything else that is done with files. */
import { z } from 'zod';
import { oneLine } from '../../base/one-line.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { Access } from '../../contract/access.ts';
import { defineTool } from '../../contract/tool.ts';
import { filesystemActions, type FilesystemInput } from './_filesystem-actions.ts';
import { readTextIfThere, toDiffView, viewOfWrite } from './_text-file.ts';

const actions = [
  'read',
  'write',
  'append',
  'list',
  'info',
  'exists',
  'mkdir',
  'move',
  'copy',
  'delete',
  'restore',
  'diff',
] as const;

export default defineTool({
  title: 'Files and folders',
  description:
    'Move, copy, delete (to a trash), restore, list, inspect or compare files and folders. To change part of a file use edit_file.',
  input: z.strictObject({
    action: z.enum(actions).describe('What to do'),
    path: z.string().describe('File or folder, absolute or relative to the workspace'),
    destination: z.string().optional().describe('For move, copy, diff: the full other path'),
    content: z.string().optional().describe('For write, append, diff'),
    recursive: z.boolean().default(false).describe('For list, copy, delete: with all that is below'),
    offset: z.int().min(1).default(1).describe('For read: first line'),
    limit: z.int().min(1).optional().describe('For read: most lines (2000); for list: most entries (500)'),
  }),
  output: z.object({
    action: z.enum(actions),
    path: z.string(),
    destination: z.string().optional(),
    content: z.string().optional(),
    bytes_read: z.number().optional(),
    next_offset: z.number().optional(),
    total_lines: z.number().optional(),
    bytes_written: z.number().optional(),
    created: z.boolean().optional(),
    exists: z.boolean().optional(),
    kind: z.enum(['file', 'folder', 'link', 'other']).optional(),
    bytes: z.number().optional(),
    modified_at: z.string().optional(),
    mode: z.string().optional(),
    entries: z
      .array(
        z.object({
          path: z.string(),
          kind: z.enum(['file', 'folder', 'link', 'other']),
          bytes: z.number(),
          modified_at: z.string(),
        }),
      )
      .optional(),
    count: z.number().optional(),
    truncated: z.boolean().optional(),
    trash_id: z.string().optional(),
    added: z.number().optional(),
    removed: z.number().optional(),
    diff: z.string().optional(),
  }),
  needs: ['files'],
  access: toAccess,
  async preview({ action, path, content }, { files }) {
    if (content === undefined) return undefined;
    if (action === 'write') return viewOfWrite(files, path, content);
    if (action !== 'append') return undefined;
    const old = await readTextIfThere(files, path);
    return toDiffView(files.absolute(path), old?.text ?? '', (old?.text ?? '') + content);
  },
  // Half of the actions could be repeated, but append would add twice, and a delete repeated after a crash would take what was put there since.
  effect: 'once',
  summary: ({ action, path, destination }) =>
    oneLine(destination === undefined ? `${action} ${path}` : `${action} ${path} → ${destination}`),
  async run(input, { files }) {
    const act = filesystemActions[input.action];
    const output = await act({ ...input, destination: neededDestination(input), content: neededContent(input) }, files);
    return { ...output, data: { action: input.action, ...output.data } };
  },
});

/** A destination that is missing is found out by `run`: access is total. */
function toAccess({
  action,
  path,
  destination,
}: FilesystemInput & { readonly action: (typeof actions)[number] }): readonly Access[] {
  const at = (place: string, mode: 'read' | 'write' | 'delete'): Access => ({ kind: 'path', path: place, mode });
  const other = (mode: 'read' | 'write'): readonly Access[] =>
    destination === undefined ? [] : [at(destination, mode)];
  switch (action) {
    case 'write':
    case 'append':
    case 'mkdir':
    case 'restore':
      return [at(path, 'write')];
    case 'move':
      return [at(path, 'delete'), ...other('write')];
    case 'copy':
      return [at(path, 'read'), ...other('write')];
    case 'delete':
      return [at(path, 'delete')];
    case 'diff':
      return [at(path, 'read'), ...other('read')];
    default:
      return [at(path, 'read')];
  }
}

function neededDestination({ action, destination, content }: FilesystemInput & { readonly action: string }): string {
  if (destination !== undefined && destination !== '') return destination;
  if (action === 'move' || action === 'copy')
    throw new ToolFailure(
      'invalid_input',
      `${action} needs destination: the full path that the file or folder shall have.`,
    );
  if (action === 'diff' && content === undefined)
    throw new ToolFailure(
      'invalid_input',
      'diff needs destination (another file) or content (a text) to compare with.',
    );
  return '';
}

function neededContent({ action, content }: FilesystemInput & { readonly action: string }): string {
  if (content === undefined && (action === 'write' || action === 'append'))
    throw new ToolFailure(
      'invalid_input',
      `${action} needs content: the text for the file. An empty text makes an empty file.`,
    );
  return content ?? '';
}
