/** Rules of the settings: `tool`, or `tool(argument)` where the argument is a path glob, a host or a command pattern. */
import path from 'node:path';
import type { ResolvedAccess } from '../contract/access.ts';
import { SetupFailure } from '../contract/failure.ts';
import { everyCommandMatches, someCommandMatches } from './read-command/match-rule.ts';
import type { CommandReading } from './read-command/command-reading.ts';
import { readCommand } from './read-command/read-command.ts';
import { plainText } from './read-typed.ts';

export type Rule = {
  readonly text: string;
  /** A tool's name, or a glob such as `memory_*`. */
  readonly tool: string;
  /** Undefined: every call of the tool. */
  readonly argument: string | undefined;
};

/** Throws SetupFailure for text that is no rule, so that a typing error cannot quietly allow or forbid nothing. */
export function parseRule(text: string): Rule {
  const match = /^\s*([A-Za-z0-9_*?]+)\s*(?:\(([\s\S]+)\))?\s*$/.exec(text);
  if (match?.[1] === undefined) {
    throw new SetupFailure(
      `"${text}" is no permission rule. Write a tool's name, or tool(argument), for example read_file(/etc/**) or bash(git status).`,
    );
  }
  return { text, tool: match[1], argument: match[2]?.trim() };
}

export function ruleNamesTool(rule: Rule, names: readonly string[]): boolean {
  return names.some((name) => path.matchesGlob(name, rule.tool));
}

/** Deny and ask rules: one matching access is enough. */
export function someAccessMatches(rule: Rule, names: readonly string[], accesses: readonly ResolvedAccess[]): boolean {
  if (!ruleNamesTool(rule, names)) return false;
  if (rule.argument === undefined) return true;
  const argument = rule.argument;
  return accesses.some((access) => accessMatches(access, argument));
}

/** The first allow rule that covers the access. Of a command every part must be covered, by one rule or by several together. */
export function findAllowance(
  rules: readonly Rule[],
  names: readonly string[],
  access: ResolvedAccess,
): Rule | undefined {
  const own = rules.filter((rule) => ruleNamesTool(rule, names));
  const whole = own.find((rule) => rule.argument === undefined);
  if (whole !== undefined) return whole;
  switch (access.kind) {
    case 'command': {
      const patterns = own.map((rule) => rule.argument ?? '');
      return everyCommandMatches(patterns, readingOf(access)) ? own[0] : undefined;
    }
    case 'path':
      // Where it really leads: a name that a link gave it allows nothing.
      return own.find((rule) => matchesPath(access.realPath, rule.argument ?? ''));
    default:
      return own.find((rule) => accessMatches(access, rule.argument ?? ''));
  }
}

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

function accessMatches(access: ResolvedAccess, argument: string): boolean {
  switch (access.kind) {
    case 'path':
      return matchesPath(access.realPath, argument) || matchesPath(access.path, argument);
    case 'command':
      return someCommandMatches([argument], readingOf(access));
    case 'url':
      return matchesHost(access.host, argument);
    case 'app':
      return path.matchesGlob(access.name, argument);
    case 'message':
      return path.matchesGlob(access.to, argument);
    case 'mcp':
      return path.matchesGlob(`${access.server}/${access.tool}`, argument);
    case 'persist':
      return access.what === argument;
    case 'none':
      return false;
  }
}

/** A pattern without a wildcard covers the folder it names and all below it. */
function matchesPath(realPath: string, pattern: string): boolean {
  if (/[*?[{]/.test(pattern)) return path.matchesGlob(realPath, pattern);
  const folder = pattern.endsWith('/') && pattern.length > 1 ? pattern.slice(0, -1) : pattern;
  return realPath === folder || realPath.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** `example.org` covers its subdomains, as allow and block lists of browsers do; `*.example.org` only those. */
function matchesHost(host: string, pattern: string): boolean {
  const wanted = pattern.toLowerCase();
  if (wanted.startsWith('*.')) return host.endsWith(wanted.slice(1));
  return host === wanted || host.endsWith(`.${wanted}`);
}
