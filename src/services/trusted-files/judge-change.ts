/** Decides what becomes of a trusted file that a command made or changed. Pure but for the index of folders it is given. */
import { posix } from 'node:path';
import { isInside } from '../../base/is-inside.ts';
import type { FileType } from './folder-role.ts';
import type { FileContent, KnownFile } from './known-file.ts';
import type { Folders } from './look-through.ts';
import { type ConfigChange, takeOutCommands } from './take-out-commands.ts';

export type Verdict =
  | { readonly kind: 'keep' }
  | { readonly kind: 'whole' }
  /** Only these entries go; `text` is what stays, bytes as latin1. */
  | Extract<ConfigChange, { kind: 'edited' }>;

export type Change = {
  /** Below the workspace, as bytes. */
  readonly path: string;
  readonly type: FileType;
  readonly now: FileContent;
  readonly before: KnownFile | undefined;
};

const keep: Verdict = { kind: 'keep' };
const whole: Verdict = { kind: 'whole' };

/** Larger, no person wrote it, and git is slow with it. */
const maxConfigBytes = 1024 * 1024;

export function judgeChange(change: Change, workspace: string, folders: Folders): Verdict {
  const { type, now, before } = change;
  switch (type) {
    case 'config': {
      if (now.kind !== 'file' || now.bytes === undefined || now.bytes.length > maxConfigBytes) return whole;
      const old = before?.kind === 'file' ? before.bytes?.toString('latin1') : undefined;
      const place = { folder: posix.join(workspace, posix.dirname(change.path)), workspace };
      const edit = takeOutCommands(now.bytes.toString('latin1'), old, place);
      if (edit.kind === 'unreadable') return whole;
      return edit.kind === 'tame' ? keep : edit;
    }
    case 'pointer':
      return leadsToRepository(change, workspace, folders) ? keep : whole;
    case 'todo':
      return now.kind === 'file' && now.bytes !== undefined && !runsCommands(now.bytes.toString('latin1'))
        ? keep
        : whole;
    case 'hook':
    case 'whole':
      return whole;
  }
}

/** Worktrees and submodules: to a repository in the workspace, whose own files are looked at like all others. */
function leadsToRepository({ path, now }: Change, workspace: string, folders: Folders): boolean {
  const text = now.bytes?.toString('latin1') ?? '';
  const isLink = now.kind === 'link';
  const named = posix.basename(path) === 'commondir' || isLink ? text : /^gitdir:[ \t]*([^\0]*)$/.exec(text)?.[1];
  if (named === undefined || now.kind === 'other') return false;
  const target = posix.resolve(workspace, posix.dirname(path), named.replace(/[\r\n]+$/, ''));
  if (!isInside(target, workspace) || target === workspace) return false;
  return folders.get(target.slice(workspace.length + 1))?.role === 'git';
}

/** `exec` lines of a rebase that waits to be continued (git-rebase(1)). */
function runsCommands(todo: string): boolean {
  return todo.split('\n').some((line) => /^\s*(?:x|exec)\b/.test(line));
}
