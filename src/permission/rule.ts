/** One rule of the settings as text, and which tools it names. What it covers is looked at when a call touches something. */
import { compileGlob } from '../base/match-glob.ts';
import { readRuleText, ruleForm } from '../base/read-rule-text.ts';
import { SetupFailure } from '../contract/failure.ts';

export type Rule = {
  readonly text: string;
  /** A tool's name or alias, or a pattern such as `memory_*`; in small letters. */
  readonly tool: string;
  /** Undefined: every call of the tool. */
  readonly argument: string | undefined;
};

/** Throws SetupFailure for text that is no rule, so that a typing error cannot quietly allow or forbid nothing. */
export function parseRule(text: string): Rule {
  const read = readRuleText(text);
  if (read === undefined) throw new SetupFailure(`"${text}" ${ruleForm}.`);
  return { text, tool: read.tool.toLowerCase(), argument: read.argument };
}

export function ruleNamesTool(rule: Rule, names: readonly string[]): boolean {
  return names.some((name) => matchesName(name.toLowerCase(), rule.tool));
}

export const matchesName = (name: string, pattern: string): boolean =>
  name === pattern || compileGlob(pattern)?.(name) === true;
