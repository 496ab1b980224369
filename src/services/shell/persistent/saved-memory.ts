/** Keeps what the next shell of a conversation gets on disk: private to us, whole or not at all, apart per rung. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rung } from '../../../contract/services.ts';
import type { Redactor } from '../../../contract/redaction.ts';
import { type Declaration, parseDeclarations } from './exported-variables.ts';
import type { ShellMemory } from './shell-memory.ts';

export type SavedMemory = {
  read(conversationId: string, rung: Rung): ShellMemory | undefined;
  /** False when the disk takes no more. */
  write(conversationId: string, rung: Rung, memory: ShellMemory): boolean;
  /** All that is kept of this conversation. */
  forget(conversationId: string): void;
};

/** `folder` is made when something is to be kept. `redactor` omitted: values are kept as they are. */
export function createSavedMemory(folder: string, redactor?: Redactor): SavedMemory {
  const folderOf = (id: string): string => join(folder, folderName(id));
  const written = new Map<string, string>();
  return {
    read(conversationId, rung) {
      try {
        const kept = parse(readFileSync(join(folderOf(conversationId), `${rung}.json`), 'utf8'));
        return kept === undefined || redactor === undefined ? kept : withSecrets(kept, redactor);
      } catch {
        // Not there, or not readable: a shell that begins anew is what follows in any case.
        return undefined;
      }
    },
    write(conversationId, rung, memory) {
      const path = join(folderOf(conversationId), `${rung}.json`);
      const text = JSON.stringify({ version, ...(redactor?.redactAll(memory) ?? memory) });
      if (written.get(path) === text) return true;
      const next = `${path}.${randomUUID()}`;
      try {
        mkdirSync(folderOf(conversationId), { recursive: true, mode: 0o700 });
        writeFileSync(next, text, { mode: 0o600, flag: 'wx' });
        renameSync(next, path);
      } catch {
        // A full disk: the command is not to fail for it, and its result says so.
        removeIfThere(next);
        return false;
      }
      written.set(path, text);
      return true;
    },
    forget(conversationId) {
      rmSync(folderOf(conversationId), { recursive: true, force: true });
      for (const path of written.keys()) if (path.startsWith(`${folderOf(conversationId)}/`)) written.delete(path);
    },
  };
}

/** A value that is not known any more is not set to its placeholder, and nothing but a value may come of one. */
function withSecrets(kept: ShellMemory, redactor: Redactor): ShellMemory {
  const exports = kept.exports.filter((each) => redactor.findLost(each) === undefined);
  const whole = redactor.restoreAll({ ...kept, exports });
  return { ...whole, exports: whole.exports.filter(({ text }) => parseDeclarations(text)[0]?.text === text) };
}

const version = 1;

function removeIfThere(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Its folder is not even one.
  }
}

/** A name of our own for ids that are none for a folder. */
function folderName(id: string): string {
  if (/^[A-Za-z0-9_-]{1,100}$/.test(id)) return id;
  return `.${createHash('sha256').update(id).digest('hex')}`;
}

function parse(text: string): ShellMemory | undefined {
  const value = JSON.parse(text) as Record<string, unknown>;
  if (value['version'] !== version || typeof value['cwd'] !== 'string') return undefined;
  const exports = Array.isArray(value['exports']) ? value['exports'].filter(isDeclaration) : [];
  return {
    cwd: value['cwd'],
    exports,
    unset: names(value['unset']),
    functions: names(value['functions']),
    aliases: names(value['aliases']),
    variables: names(value['variables']),
    tooLarge: names(value['tooLarge']),
    influences: names(value['influences']),
    background: Number(value['background']) || 0,
  };
}

function names(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

function isDeclaration(value: unknown): value is Declaration {
  const { name, text } = (value ?? {}) as Partial<Declaration>;
  return typeof name === 'string' && typeof text === 'string';
}
