/** What the settings say about permission, parsed once. */
import { realpathSync } from 'node:fs';
import { splitGlob } from '../base/match-glob.ts';
import { editDistance } from '../base/edit-distance.ts';
import { SetupFailure } from '../contract/failure.ts';
import type { Settings } from '../contract/settings.ts';
import type { ToolDescriptor } from '../contract/tool.ts';
import { parseRule, type Rule, ruleNamesTool } from './rule.ts';

export type Policy = {
  readonly disallowed: ReadonlySet<string>;
  /** Empty: all tools pass. */
  readonly allowed: ReadonlySet<string>;
  readonly deny: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly allow: readonly Rule[];
  /** What `~` in a rule may mean. */
  readonly homes: readonly string[];
  /** Actions that carry something out are asked about again after text of others has come in. */
  readonly asksAgain: boolean;
};

type RuleSettings = Omit<Settings['permissions'], 'askAgainAfterUntrusted' | 'grantHours'> &
  Partial<Pick<Settings['permissions'], 'askAgainAfterUntrusted'>>;

export type PolicyPlaces = {
  /** The user's home and the sandbox's own. */
  readonly homes?: readonly string[];
  /** For rules that name none of them by a slip. Omitted: names are not looked at. */
  readonly tools?: readonly Pick<ToolDescriptor, 'name' | 'aliases'>[];
};

/** Throws SetupFailure for what is no rule, and for one that names a tool almost. */
export function createPolicy(
  settings: Pick<Settings, 'tools'> & { readonly permissions: RuleSettings },
  { homes = [], tools = [] }: PolicyPlaces = {},
): Policy {
  const { permissions } = settings;
  const realHomes = [...new Set([...homes, ...homes.map((home) => realPathOf(home) ?? home)])];
  const read = (list: 'deny' | 'ask' | 'allow'): readonly Rule[] =>
    permissions[list].map((text, at) => readRule(text, `permissions.${list}[${at}]`, tools));
  const forbid = (list: 'deny' | 'ask') => read(list).flatMap((rule) => withRealPath(rule, homes));
  return {
    disallowed: new Set(settings.tools.disallowed),
    allowed: new Set(settings.tools.allowed),
    deny: forbid('deny'),
    ask: forbid('ask'),
    allow: read('allow'),
    homes: realHomes,
    asksAgain: permissions.askAgainAfterUntrusted ?? true,
  };
}

function readRule(text: string, place: string, tools: NonNullable<PolicyPlaces['tools']>): Rule {
  try {
    const rule = parseRule(text);
    const meant = almostNamed(rule, tools);
    if (meant === undefined) return rule;
    throw new SetupFailure(
      `"${text}" names no tool there is, so it would allow or forbid nothing. Did you mean ${meant}?`,
    );
  } catch (error) {
    if (error instanceof SetupFailure) throw new SetupFailure(`settings.json: ${place}: ${error.message}`);
    throw error;
  }
}

/** A tool may come later, by a program or a server; a slip of the pen is told. */
function almostNamed(rule: Rule, tools: NonNullable<PolicyPlaces['tools']>): string | undefined {
  const names = tools.flatMap(({ name, aliases }) => [name, ...aliases]);
  if (/[*?]/.test(rule.tool) || ruleNamesTool(rule, names)) return undefined;
  return names.find((name) => editDistance(rule.tool, name) <= (name.length > 5 ? 2 : 1));
}

/**
 * Files are known by their real paths, so where links lead to the folder of an absolute pattern, what is there is forbidden
 * too. Nothing is allowed that way: in the workspace a command may have made the link.
 */
function withRealPath(rule: Rule, [home = '~']: readonly string[]): readonly Rule[] {
  const path = rule.argument?.startsWith('~/') === true ? home + rule.argument.slice(1) : rule.argument;
  if (path?.startsWith('/') !== true) return [rule];
  const { folder, rest } = splitGlob(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);
  const above = realPathOf(folder);
  const real = /[*?[{]/.test(path) ? undefined : realPathOf(path);
  const argument = real ?? (above === undefined ? path : `${above}/${rest}`);
  return argument === path ? [rule] : [rule, { ...rule, argument }];
}

/** Undefined: nothing is there yet, so no link leads there either. */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // What cannot be looked at cannot be reached by tools either.
    return undefined;
  }
}
