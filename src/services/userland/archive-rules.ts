/** What an entry of an archive must be like to be unpacked: pure rules over names, kinds and where links lead. */
import { ToolFailure } from '../../contract/failure.ts';

export type EntryKind = 'file' | 'folder' | 'link' | 'hard-link' | 'skip';

/** What the sandbox makes itself: devices and the kernel's files of an archive are left out. */
const madeBySandbox = new Set(['dev', 'proc', 'sys', 'run', 'tmp']);

const maxNameBytes = 4096;
const maxPartBytes = 255;

/** The parts of the name, without a leading `./`; empty for the top folder itself. Throws ToolFailure('denied'). */
export function readEntryName(name: string): readonly string[] {
  if (name.startsWith('/')) throw refused(name, 'its name begins with /');
  if (Buffer.byteLength(name) > maxNameBytes) throw refused(name, 'its name is too long');
  if (hasControlCharacter(name)) throw refused(name, 'its name holds control characters');
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw refused(name, 'its name leads upwards');
  if (parts.some((part) => Buffer.byteLength(part) > maxPartBytes))
    throw refused(name, 'a part of its name is too long');
  return parts;
}

/** By the type as tar(5) and the reader call it. Throws ToolFailure('denied') for devices and pipes outside /dev. */
export function readEntryKind(name: string, parts: readonly string[], type: string): EntryKind {
  const isMadeBySandbox = parts.length > 1 && madeBySandbox.has(parts[0] ?? '');
  switch (type) {
    case 'File':
    case 'OldFile':
    case 'ContiguousFile':
      return isMadeBySandbox ? 'skip' : 'file';
    case 'Directory':
    case 'GNUDumpDir':
      return isMadeBySandbox ? 'skip' : 'folder';
    case 'SymbolicLink':
      return isMadeBySandbox ? 'skip' : 'link';
    case 'Link':
      return isMadeBySandbox ? 'skip' : 'hard-link';
    default:
      if (isMadeBySandbox) return 'skip';
      throw refused(name, `it is no file, folder or link (${type})`);
  }
}

/**
 * A link may point anywhere inside the tree, absolutely too: the tree is somebody's root. By its text it must not climb out,
 * so that it means the same wherever the tree lies. Throws ToolFailure('denied').
 */
export function checkLinkTarget(name: string, parts: readonly string[], target: string): void {
  if (target === '' || Buffer.byteLength(target) > maxNameBytes) throw refused(name, 'it is a link to nothing');
  if (hasControlCharacter(target)) throw refused(name, 'its target holds control characters');
  let depth = target.startsWith('/') ? 0 : parts.length - 1;
  for (const part of target.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    // From the root itself `/..` leads nowhere else; from below it, it leads out of the tree.
    if (depth < 0) throw refused(name, 'it is a link that leads out of the tree');
  }
}

export function refused(name: string, why: string): ToolFailure {
  const shown = JSON.stringify(name.slice(0, 200));
  return new ToolFailure('denied', `the archive was refused, because of the entry ${shown}: ${why}`);
}

function hasControlCharacter(text: string): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    // U+FFFD: bytes that were no UTF-8, which would become another name than the archive says.
    if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0xfffd) return true;
  }
  return false;
}
