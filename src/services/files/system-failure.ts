/** Turns the system's error codes into failures that say what to try. */
import { ToolFailure, type ToolFailureCode } from '../../contract/failure.ts';

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}

const explanations: Readonly<Record<string, readonly [ToolFailureCode, string]>> = {
  ENOENT: ['not_found', 'There is nothing there. Check the spelling, or find the name with glob or a listing.'],
  ENOTDIR: ['invalid_input', 'A part of the path is a file, not a folder. Check the path.'],
  EISDIR: ['invalid_input', 'It is a folder, not a file.'],
  EACCES: [
    'failed',
    'The system refuses it (permission denied). Check the owner and mode of the file and its folder, or use another place.',
  ],
  EPERM: [
    'failed',
    'The system refuses it (operation not permitted). The file may be immutable or belong to someone else; use another place.',
  ],
  EROFS: ['failed', 'That file system is read-only. Use another place.'],
  ENOSPC: ['failed', 'The disk is full; nothing was changed. Free some space and repeat the call.'],
  EDQUOT: ['failed', 'The disk quota is used up; nothing was changed. Free some space and repeat the call.'],
  EFBIG: ['failed', 'The file would be larger than the file system or a limit allows; nothing was changed.'],
  EMFILE: ['busy', 'Too many files are open at once. Repeat the call with fewer others beside it.'],
  ENFILE: ['busy', 'The machine has too many files open. Repeat the call later.'],
  ENAMETOOLONG: ['invalid_input', 'The name is too long for the file system (255 bytes at most). Give a shorter one.'],
  EEXIST: ['conflict', 'Something is there already. Choose another name, or remove it first.'],
  ENOTEMPTY: ['conflict', 'A folder that is not empty is there already. Choose another name, or remove it first.'],
  ETXTBSY: ['busy', 'It is a program that is running. Stop it first.'],
  EBUSY: ['busy', 'It is in use by the system (a mount point, for example).'],
  EXDEV: ['failed', 'The two places are on different file systems.'],
  EIO: ['failed', 'The disk reports an error (EIO).'],
  ELOOP: ['conflict', 'A link took the place of the file while it was being opened. Repeat the call.'],
};

/** `verb` completes "Could not … path". What is not a system error is given back as it is. */
export function systemFailure(error: unknown, verb: string, path: string): unknown {
  // Node's own system errors name the call that failed; anything else, a signal's reason for one, is not ours to explain.
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error) || typeof error.code !== 'string')
    return error;
  const [code, explanation] = explanations[error.code] ?? ['failed', `The system says: ${error.message}.`];
  return new ToolFailure(code, `Could not ${verb} ${path}. ${explanation}`, { cause: error });
}
