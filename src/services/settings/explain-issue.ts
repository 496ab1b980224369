/** One plain line for what zod found wrong in settings.json. */
import type { z } from 'zod';
import { escapeInvisible } from '../../base/escape-invisible.ts';
import { knownKeys, nearestKey } from './known-keys.ts';
import { settingsJsonSchema } from './settings-json-schema.ts';

type Issue = z.core.$ZodIssue;

/** The first problem in full, the others by their number. */
export function explainIssues(issues: readonly Issue[], file: string): string {
  const first = issues[0];
  if (first === undefined) return `${file} cannot be understood.`;
  const others = issues.length === 1 ? '' : ` (and ${issues.length - 1} more)`;
  return `${explain(first, file)}${others}. Nothing was changed.`.replace('?.', '?');
}

/** `models[0].baseUrl`, as people write it. */
export function formatPath(path: readonly PropertyKey[]): string {
  const text = path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('');
  return escapeInvisible(text, 'nothing').slice(0, 200);
}

function explain(issue: Issue, file: string): string {
  const key = formatPath(issue.path);
  if (issue.code === 'unrecognized_keys') return unknownKey([...issue.path, issue.keys[0] ?? ''], file);
  return `${file}: "${key}" ${requirement(issue)}`;
}

function unknownKey(path: readonly PropertyKey[], file: string): string {
  const key = formatPath(path);
  const meant = key.startsWith('tool_enabled') ? 'tool_enabled_<id>' : nearestKey(key, knownKeys(settingsJsonSchema()));
  const hint = meant === undefined ? ': remove it' : `; did you mean "${meant}"?`;
  return `${file}: unknown key "${key}"${hint}`;
}

function requirement(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text in double quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list in brackets [ ]',
  object: 'an object in braces { }',
  record: 'an object in braces { }',
};
