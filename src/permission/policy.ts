/** What the settings say about permission, parsed once. */
import type { Settings } from '../contract/settings.ts';
import { parseRule, type Rule } from './rules.ts';

export type Policy = {
  readonly disallowed: ReadonlySet<string>;
  /** Empty: all tools pass. */
  readonly allowed: ReadonlySet<string>;
  readonly deny: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly allow: readonly Rule[];
};

export function createPolicy(settings: Pick<Settings, 'tools' | 'permissions'>): Policy {
  return {
    disallowed: new Set(settings.tools.disallowed),
    allowed: new Set(settings.tools.allowed),
    deny: settings.permissions.deny.map(parseRule),
    ask: settings.permissions.ask.map(parseRule),
    allow: settings.permissions.allow.map(parseRule),
  };
}
