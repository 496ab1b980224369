/** What a rule covers: of `tool(argument)` the argument is a path glob, a host or a command pattern. */
import type { ResolvedAccess } from '../contract/access.ts';
import { everyCommandMatches, someCommandMatches } from './read-command/match-rule.ts';
import type { CommandReading } from './read-command/command-reading.ts';
import { readCommand } from './read-command/read-command.ts';
import { plainText } from './read-typed.ts';
import { matchesUrl } from './match-host.ts';
import { compilePathPattern, type RulePlaces } from './match-path.ts';
import { matchesName, type Rule, ruleNamesTool } from './rule.ts';

/** Deny and ask rules: one matching access is enough. */
export function someAccessMatches(
  rule: Rule,
  names: readonly string[],
  accesses: readonly ResolvedAccess[],
  places: RulePlaces = nowhere,
): boolean {
  if (!ruleNamesTool(rule, names)) return false;
  const { argument } = rule;
  return argument === undefined || accesses.some((access) => isTouched(access, argument, places));
}

/** The first allow rule that covers the access. Of a command every part must be covered, by one rule or by several together. */
export function findAllowance(
  rules: readonly Rule[],
  names: readonly string[],
  access: ResolvedAccess,
  places: RulePlaces = nowhere,
): Rule | undefined {
  const own = rules.filter((rule) => ruleNamesTool(rule, names));
  const whole = own.find((rule) => rule.argument === undefined);
  if (whole !== undefined) return whole;
  if (access.kind !== 'command') return own.find((rule) => isCovered(access, rule.argument ?? '', places));
  const patterns = own.map((rule) => rule.argument ?? '');
  return everyCommandMatches(patterns, readingOf(access)) ? own[0] : undefined;
}

const nowhere: RulePlaces = { workspace: undefined, homes: [] };

const unreadableProgram: CommandReading = {
  heads: ['?'],
  findings: [{ kind: 'unreadable', text: '', insideSandboxOnly: false }],
  commands: [],
  shellChanges: ['?'],
  overrides: [],
};

function readingOf(access: Extract<ResolvedAccess, { kind: 'command' }>): CommandReading {
  const { cwd, isSandboxed } = access;
  // No shell text: nobody can say what is in it.
  if (access.language !== undefined) return unreadableProgram;
  const command = access.typedInto === undefined ? access.command : plainText(access.command);
  return readCommand(command, { cwd, isSandboxed, workspace: cwd, home: '' });
}

/** As an allowance reads it: exactly what was written, and where it really leads. */
function isCovered(access: ResolvedAccess, argument: string, places: RulePlaces): boolean {
  switch (access.kind) {
    case 'path':
      return compilePathPattern(argument, places).covers(access.realPath);
    case 'url':
      return matchesUrl(access, argument, 'covers');
    default:
      return isNamed(access, argument);
  }
}

/** As a prohibition reads it: what lies below is meant too, and so is every name that leads there. */
function isTouched(access: ResolvedAccess, argument: string, places: RulePlaces): boolean {
  switch (access.kind) {
    case 'path': {
      const pattern = compilePathPattern(argument, places);
      return pattern.touches(access.realPath) || pattern.touches(access.path);
    }
    case 'url':
      return matchesUrl(access, argument, 'touches');
    case 'command':
      return someCommandMatches([argument], readingOf(access));
    default:
      return isNamed(access, argument);
  }
}

function isNamed(access: Exclude<ResolvedAccess, { kind: 'path' | 'url' }>, argument: string): boolean {
  switch (access.kind) {
    case 'app':
      return matchesName(access.name, argument);
    case 'message':
      return matchesName(access.to.toLowerCase(), argument.toLowerCase());
    case 'mcp':
      return matchesName(argument.includes('/') ? `${access.server}/${access.tool}` : access.server, argument);
    case 'persist':
      return matchesName(access.what, argument);
    default:
      return false;
  }
}
