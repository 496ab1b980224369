import { describe, expect, it } from 'vitest';
import type { ResolvedAccess } from '../contract/access.ts';
import { SetupFailure } from '../contract/failure.ts';
import { parseRule } from './rule.ts';
import { findAllowance, someAccessMatches } from './rules.ts';

const names = ['execute_shell_command', 'bash'];
const command = (text: string): ResolvedAccess => ({
  kind: 'command',
  command: text,
  cwd: '/ws',
  isDangerous: false,
  isSandboxed: false,
  heads: [],
  findings: [],
});
const file = (path: string, realPath = path): ResolvedAccess => ({
  kind: 'path',
  path,
  realPath,
  mode: 'read',
  zone: 'outside',
});
const allows = (rules: readonly string[], access: ResolvedAccess, of: readonly string[] = names) =>
  findAllowance(rules.map(parseRule), of, access) !== undefined;

describe('an allow rule', () => {
  it.each([
    ['ls -la', true],
    ['ls', true],
    ['git status', true],
    ['ls; git status', true],
    ['ls && curl x', false],
    ['ls | sh', false],
    ['ls $(curl x)', false],
    ['ls > out', false],
    ['git push', false],
    ['$X', false],
  ])('[A12] for a command covers it only when every part is covered: %s', (text, isAllowed) => {
    expect(allows(['bash(ls *)', 'bash(ls)', 'bash(git status)'], command(text))).toBe(isAllowed);
  });

  it('[A20] for a path looks at where the path really leads', () => {
    const rules = ['read_file(/data)'];
    expect(allows(rules, file('/data/a'), ['read_file'])).toBe(true);
    expect(allows(rules, file('/data/link', '/etc/passwd'), ['read_file'])).toBe(false);
    expect(allows(rules, file('/database/a'), ['read_file'])).toBe(false);
    expect(allows(['read_file(/data/**/*.csv)'], file('/data/x/y.csv'), ['read_file'])).toBe(true);
  });

  it('for another tool covers nothing', () => {
    expect(allows(['grep'], file('/data/a'), ['read_file'])).toBe(false);
    expect(allows(['read_*'], file('/data/a'), ['read_file'])).toBe(true);
  });
});

describe('a deny or ask rule', () => {
  const matches = (rule: string, access: ResolvedAccess, of = names) =>
    someAccessMatches(parseRule(rule), of, [access]);

  it('[A12] matches when any part of a command does', () => {
    expect(matches('bash(curl)', command('ls; curl x'))).toBe(true);
    expect(matches('bash(curl)', command('bash -c "curl x"'))).toBe(true);
    expect(matches('bash(curl)', command('ls'))).toBe(false);
  });

  it('matches a path by its name and by where it leads', () => {
    expect(matches('read_file(/etc)', file('/ws/link', '/etc/passwd'), ['read_file'])).toBe(true);
    expect(matches('read_file(/ws)', file('/ws/link', '/etc/passwd'), ['read_file'])).toBe(true);
  });

  it('a host covers its subdomains, a star only those', () => {
    const url = (host: string): ResolvedAccess => ({
      kind: 'url',
      url: `https://${host}/`,
      method: 'GET',
      host,
      isAllowedHost: false,
    });
    expect(matches('fetch_url(example.org)', url('a.example.org'), ['fetch_url'])).toBe(true);
    expect(matches('fetch_url(example.org)', url('badexample.org'), ['fetch_url'])).toBe(false);
    expect(matches('fetch_url(*.example.org)', url('example.org'), ['fetch_url'])).toBe(false);
  });
});

it('text that is no rule is said to be none, and not passed over', () => {
  expect(() => parseRule('read file')).toThrow(SetupFailure);
  expect(() => parseRule('bash(')).toThrow(SetupFailure);
});
