/**
 * What carries something out of this machine, or acts later without anybody looking. After text of others has entered a
 * conversation these are asked about again, whatever was allowed before: the text may be what asks for them (SECURITY A50).
 */
import type { ResolvedAccess } from '../contract/access.ts';
import type { Rule } from './rule.ts';

export function isOutward(access: ResolvedAccess): boolean {
  switch (access.kind) {
    case 'url':
      // Package hosts and those that the settings name were decided on by the user, whatever a text says.
      return !access.isAllowedHost;
    case 'command':
      // In the sandbox each host is asked about by itself; outside nobody sees where a command goes.
      return !access.isSandboxed;
    case 'message':
    case 'mcp':
      return true;
    case 'persist':
      return access.what !== 'memory';
    default:
      return false;
  }
}

/** Whether the rule was made for one place, and not for whatever a text may name. */
export function namesDestination(rule: Rule): boolean {
  return rule.argument !== undefined && !/[*?[{]/.test(rule.argument);
}

/** Where the text of a result comes from when it is not the user's or ours; empty when it is. */
export function strangersIn(accesses: readonly ResolvedAccess[]): readonly string[] {
  return accesses.flatMap((access) => {
    if (access.kind === 'url') return [access.host];
    if (access.kind === 'mcp') return [`the MCP server ${access.server}`];
    return access.kind === 'path' && access.zone === 'outside' && access.mode !== 'delete' ? [access.realPath] : [];
  });
}
