/** Which entries of a git configuration make git run something, or read settings and hooks from elsewhere (git-config(1)). */
import { posix } from 'node:path';
import { isInside } from '../../base/is-inside.ts';
import type { ConfigEntry } from './git-config-text.ts';

/** Where the file stands: settings that name folders are judged by where they lead. */
export type ConfigPlace = { readonly folder: string; readonly workspace: string };

/** Keys in lower case, whose value is a command line or the path of a program, unless it is one of the tame words. */
const commandKeys =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|gitproxy|askpass|alternaterefscommand)|pager\..+|sequence\.editor|diff\.external|diff\..+\.(?:command|textconv|external)|(?:difftool|mergetool|guitool|man|browser)\..+\.(?:cmd|path)|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|credential\.(?:.+\.)?helper|gpg\.(?:.+\.)?program|gpg\.ssh\.defaultkeycommand|interactive\.difffilter|web\.browser|trailer\..+\.(?:command|cmd)|tar\..+\.command|sendemail\.(?:.+\.)?(?:smtpserver|.*cmd)|instaweb\..+|imap\.tunnel|uploadpack\.packobjectshook|receive\.procreceiverefs|remote\..+\.(?:uploadpack|receivepack|vcs)|hook\..+\.command|lfs\.(?:customtransfer|extension)\..+|annex\..*(?:command|hook|program).*|remote\..+\.annex-.*(?:command|hook|program).*|remote-.+\..*command)$/;

/** Where hooks, further settings and templates come from. */
const folderKeys = /^(?:core\.hookspath|include\.path|includeif\..+\.path|init\.templatedir)$/;

/** Built into git, or programs of that plain name from the user's own PATH. */
const tameValue =
  /^(?:true|false|yes|no|on|off|0|1|cat|less(?: -[A-Za-z]+)?|more|vi|vim|nano|emacs|ssh|store|cache|input|git-upload-pack|git-receive-pack)?$/i;

/** Options and subcommands of git that hand on a command line; in an alias they do so for good. */
const handsOn =
  /(?:^|\s)(?:-c|--config-env\S*|--exec-path\S*|--git-dir\S*|-x|--exec\S*|--extcmd\S*|-O\S*|--open-files-in-pager\S*|--upload-pack\S*|--receive-pack\S*|--template\S*|--ext-diff|--textconv|run|foreach|for-each-repo|filter-branch)(?:\s|=|$)/;

/** `ext::`, `fd::` and every other remote helper: a program of that name is the remote end (gitremote-helpers(7)). */
const isHelperAddress = (text: string): boolean => /^[\w+.-]+::/.test(text);

export function isCommandBearing(entry: ConfigEntry, place: ConfigPlace): boolean {
  const { section, subsection = '', name, value } = entry;
  const key = entry.key.toLowerCase();
  if (folderKeys.test(key)) return value !== '';
  if (commandKeys.test(key)) return value !== undefined && !tameValue.test(value);
  switch (section) {
    case 'alias':
      return /^\s*[!-]/.test(value ?? '') || handsOn.test(value ?? '');
    case 'submodule':
      return (name === 'update' && /^\s*!/.test(value ?? '')) || (name === 'url' && isUnsafeAddress(value ?? ''));
    case 'remote':
      return /^(?:push)?url$/.test(name) && isUnsafeAddress(value ?? '');
    case 'url':
      return isUnsafeAddress(subsection);
    case 'protocol':
      return name === 'allow' && !/^(?:https?|git|ssh|file)$/.test(subsection) && value !== 'never';
    case 'core':
      return name === 'worktree' && leadsOut(value ?? '', place);
    default:
      return false;
  }
}

function isUnsafeAddress(text: string): boolean {
  return isHelperAddress(text) || text.startsWith('-');
}

/** `git clean` and `git reset` would act there (submodules and `--separate-git-dir` name a folder of the workspace). */
function leadsOut(value: string, { folder, workspace }: ConfigPlace): boolean {
  return !isInside(posix.resolve(folder, value), workspace);
}
