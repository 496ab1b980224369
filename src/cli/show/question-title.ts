/** The title of a permission question, as a question: from what the call touches, never from the tool's name. */
import type { ResolvedAccess } from '../../contract/access.ts';
import type { Question } from '../../contract/permission.ts';
import { cleanLine } from './clean-text.ts';

export function questionTitle(question: Question): string {
  const titles = new Set(question.accesses.map(accessTitle));
  const [only] = titles;
  if (titles.size === 1 && only !== undefined) return only;
  return `${cleanLine(question.title)}?`;
}

function accessTitle(access: ResolvedAccess): string | undefined {
  switch (access.kind) {
    case 'path':
      return access.mode === 'read' ? 'Read this?' : access.mode === 'write' ? 'Write this file?' : 'Remove this?';
    case 'command':
      return access.isSandboxed ? 'Run this command?' : 'Run this command outside any sandbox?';
    case 'url':
      return `Reach ${cleanLine(access.host)}?`;
    case 'message':
      return 'Send this message?';
    case 'mcp':
      return `Call a tool of ${cleanLine(access.server)}?`;
    case 'app':
    case 'persist':
    case 'none':
      return undefined;
  }
}
