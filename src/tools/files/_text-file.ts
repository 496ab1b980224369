/** What the file tools share: text read with its reasons for refusal, differences as views. */
import { decodeText } from '../../base/decode-text.ts';
import { diffLines } from '../../base/diff-lines.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { View } from '../../contract/output.ts';
import type { Files } from '../../contract/services.ts';

export type TextFile = { readonly path: string; readonly text: string; readonly bytes: Buffer };

/** Rejects with invalid_input for what is no UTF-8 text, and as Files.read does. */
export async function readTextFile(files: Files, path: string): Promise<TextFile> {
  const file = await files.read(path);
  const decoded = decodeText(file.bytes);
  if (decoded.kind === 'text') return { path: file.path, text: decoded.text, bytes: file.bytes };
  if (decoded.guess === 'UTF-16 text')
    throw new ToolFailure(
      'invalid_input',
      `${file.path} is UTF-16 text, not UTF-8. Convert it with a command: iconv -f UTF-16 -t UTF-8.`,
    );
  if (decoded.kind === 'binary')
    throw new ToolFailure(
      'invalid_input',
      `${file.path} is a binary file (${decoded.guess}), which cannot be read as text. Use a command made for its type, for example file, strings or unzip -l.`,
    );
  throw new ToolFailure(
    'invalid_input',
    `${file.path} is not valid UTF-8 (${decoded.guess}). Convert it with a command first, for example: iconv -f LATIN1 -t UTF-8.`,
  );
}

/** The same, but undefined where nothing is yet. */
export async function readTextIfThere(files: Files, path: string): Promise<TextFile | undefined> {
  try {
    return await readTextFile(files, path);
  } catch (error) {
    if (error instanceof ToolFailure && error.code === 'not_found') return undefined;
    throw error;
  }
}

export function toDiffView(path: string, oldText: string, newText: string): View {
  return { kind: 'diff', path, ...diffLines(oldText, newText) };
}

/** What a write would change. Content that is no text, or too large to compare, is named instead of shown. */
export async function viewOfWrite(files: Files, path: string, newText: string): Promise<View> {
  try {
    const old = await readTextIfThere(files, path);
    return toDiffView(old?.path ?? files.absolute(path), old?.text ?? '', newText);
  } catch (error) {
    if (!(error instanceof ToolFailure) || (error.code !== 'invalid_input' && error.code !== 'too_large')) throw error;
    const info = await files.info(path);
    if (info?.kind !== 'file') throw error;
    return {
      kind: 'text',
      text: `Replaces the whole of ${info.path} (${info.bytes.toLocaleString('en-US')} bytes, not text that could be compared) with:\n${newText}`,
    };
  }
}

/** A page of a text file, and the sentence that says how to go on. */
export function continuation(page: {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly totalLines: number;
  readonly next: { readonly line: number; readonly skipChars: number } | undefined;
}): string {
  const { next, firstLine, lastLine, totalLines } = page;
  if (next === undefined) return '';
  const how =
    next.skipChars === 0
      ? `offset ${next.line}`
      : `offset ${next.line} and char_offset ${next.skipChars} (line ${next.line} is very long)`;
  return `[Lines ${firstLine} to ${lastLine} of ${totalLines}. Continue with ${how}.]`;
}
