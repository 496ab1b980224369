/** How far a yes may reach: what a question offers. */
import type { ResolvedAccess } from '../contract/access.ts';
import type { GrantScope } from '../contract/permission.ts';
import { patternsFor } from './grant-pattern.ts';

export function scopesFor(asked: readonly ResolvedAccess[], isUntrusted: boolean): readonly GrantScope[] {
  const isForOnce =
    asked.some((access) => (access.kind === 'command' && access.isDangerous) || changesOf(access).length > 0) ||
    // Nothing that could be kept would cover it.
    asked.every((access) => patternsFor(access).length === 0);
  if (isForOnce) return ['once'];
  return asked.every((access) => mayHoldAlways(access, isUntrusted))
    ? ['once', 'conversation', 'always']
    : ['once', 'conversation'];
}

/**
 * What is only looked at, or goes to a place that was named, may be allowed once and for all. What changes, removes or sends
 * something, and every command, is for the conversation that it was looked at in; the settings have rules for more.
 */
function mayHoldAlways(access: ResolvedAccess, isUntrusted: boolean): boolean {
  if (access.kind === 'path') return access.mode === 'read';
  if (access.kind === 'url' || access.kind === 'mcp') return !isUntrusted;
  return access.kind === 'app';
}

/** What makes the words of a command mean something else than before. */
export const changesOf = (access: ResolvedAccess): readonly string[] =>
  access.kind === 'command' ? (access.changedShell ?? []) : [];
