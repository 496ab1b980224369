/** What each action of the filesystem tool does. */
import { diffLines, type DifferenceLine } from '../../base/diff-lines.ts';
import { countLines, pageText } from '../../base/page-text.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { ToolOutput } from '../../contract/output.ts';
import type { FileInfo, Files } from '../../contract/services.ts';
import { continuation, readTextFile, toDiffView, viewOfWrite } from './_text-file.ts';

export type FilesystemInput = {
  readonly path: string;
  readonly destination?: string | undefined;
  readonly content?: string | undefined;
  readonly recursive: boolean;
  readonly offset: number;
  readonly limit?: number | undefined;
};

/** Missing texts are empty here; the tool has refused where that matters. */
type ActionInput = FilesystemInput & { readonly destination: string; readonly content: string };
type Action = (input: ActionInput, files: Files) => Promise<ToolOutput>;

const defaultLines = 2000;
const defaultEntries = 500;
/** A page with its notice stays under the 20,000 characters of a result. */
const pageChars = 19_500;

export const filesystemActions = {
  read: async ({ path, offset, limit }, files) => {
    const file = await readTextFile(files, path);
    const page = pageText(file.text, {
      line: offset,
      skipChars: 0,
      maxLines: limit ?? defaultLines,
      maxChars: pageChars,
    });
    if (page === undefined)
      throw new ToolFailure(
        'invalid_input',
        `${file.path} has ${countLines(file.text)} lines; offset ${offset} is behind its end. Choose a smaller one.`,
      );
    if (page.next !== undefined && page.next.skipChars > 0)
      throw new ToolFailure(
        'too_large',
        `Line ${page.next.line} of ${file.path} is longer than ${pageChars} characters. Use read_file, which goes on within a line.`,
      );
    const data = {
      path: file.path,
      content: page.content,
      bytes_read: Buffer.byteLength(page.content),
      ...(page.next && { next_offset: page.next.line, total_lines: page.totalLines }),
    };
    if (page.next === undefined) return { text: page.content === '' ? '(The file is empty.)' : page.content, data };
    return { text: `${page.content}\n${continuation(page)}`, data, truncated: true };
  },
  write: async ({ path, content }, files) => {
    const view = await viewOfWrite(files, path, content);
    const bytes = Buffer.from(content);
    const written = await files.write(path, bytes);
    return {
      text: `${written.created ? 'Created' : 'Replaced'} ${written.path} (${bytes.length} bytes).`,
      view,
      data: { path: written.path, bytes_written: bytes.length, created: written.created },
    };
  },
  append: async ({ path, content }, files) => {
    const bytes = Buffer.from(content);
    const written = await files.append(path, bytes);
    return {
      text: `${written.created ? 'Created' : 'Added to'} ${written.path} (${bytes.length} bytes).`,
      data: { path: written.path, bytes_written: bytes.length, created: written.created },
    };
  },
  list: async ({ path, recursive, limit }, files) => {
    const most = limit ?? defaultEntries;
    const { entries, truncated } = await files.list(path, { recursive, limit: most });
    const shown = files.absolute(path);
    const lines = entries.map((entry) => `${describeKind(entry)}  ${entry.path}`);
    return {
      text:
        lines.length === 0
          ? `${shown} is empty.`
          : lines.join('\n') +
            (truncated ? `\n[The first ${most} entries; there are more. Raise limit, or list a folder below.]` : ''),
      view: { kind: 'files', files: entries.map((entry) => ({ path: entry.path })) },
      data: { path: shown, entries: entries.map(toEntry), count: entries.length, ...(truncated && { truncated }) },
      ...(truncated && { truncated }),
    };
  },
  info: async ({ path }, files) => {
    const info = await files.info(path);
    if (info === undefined)
      throw new ToolFailure(
        'not_found',
        `There is nothing at ${files.absolute(path)}. Check the spelling, or list its folder.`,
      );
    const mode = info.mode.toString(8).padStart(4, '0');
    return {
      text: `${info.path}: ${info.kind}, ${info.bytes} bytes, changed ${info.modifiedAt}, mode ${mode}`,
      data: { ...toEntry(info), mode },
    };
  },
  exists: async ({ path }, files) => {
    const info = await files.info(path);
    const shown = files.absolute(path);
    if (info === undefined) return { text: `${shown} does not exist.`, data: { path: shown, exists: false } };
    return { text: `${shown} exists (${info.kind}).`, data: { path: shown, exists: true, kind: info.kind } };
  },
  mkdir: async ({ path }, files) => {
    const made = await files.makeFolder(path);
    return {
      text: made.created ? `Made the folder ${made.path}.` : `The folder ${made.path} was there already.`,
      data: made,
    };
  },
  move: async ({ path, destination }, files) => {
    const { from, to } = await files.move(path, destination);
    return { text: `Moved ${from} to ${to}.`, data: { path: from, destination: to } };
  },
  copy: async ({ path, destination, recursive }, files) => {
    const { from, to } = await files.copy(path, destination, { recursive });
    return { text: `Copied ${from} to ${to}.`, data: { path: from, destination: to } };
  },
  delete: async ({ path, recursive }, files) => {
    const removed = await files.trash(path, { recursive });
    return {
      text: `Moved ${removed.path} to the trash. Restore the same path to bring it back.`,
      data: { path: removed.path, trash_id: removed.trashId },
    };
  },
  restore: async ({ path }, files) => {
    const restored = await files.restore(path);
    return { text: `Brought back ${restored.path} from the trash.`, data: restored };
  },
  diff: async ({ path, destination, content }, files) => {
    const old = await readTextFile(files, path);
    const other = destination === '' ? undefined : await readTextFile(files, destination);
    const { lines, added, removed } = diffLines(old.text, other?.text ?? content);
    const diff = lines.map(toUnifiedLine).join('\n');
    return {
      text: diff === '' ? 'No difference.' : `--- ${old.path}\n+++ ${other?.path ?? 'content'}\n${diff}`,
      view: toDiffView(old.path, old.text, other?.text ?? content),
      data: { path: old.path, ...(other && { destination: other.path }), added, removed, diff },
    };
  },
} satisfies Readonly<Record<string, Action>>;

function toEntry({ path, kind, bytes, modifiedAt }: FileInfo): {
  path: string;
  kind: FileInfo['kind'];
  bytes: number;
  modified_at: string;
} {
  return { path, kind, bytes, modified_at: modifiedAt };
}

function describeKind({ kind, bytes }: FileInfo): string {
  return kind === 'file' ? `${bytes}`.padStart(9) : kind.padStart(9);
}

function toUnifiedLine({ kind, content }: DifferenceLine): string {
  const signs = { context: ' ', added: '+', removed: '-', hunk: '' } as const;
  return signs[kind] + content;
}
