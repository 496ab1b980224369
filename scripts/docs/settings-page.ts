/** docs/reference/settings.md: every key of settings.json, from its JSON Schema. */
import type { JsonSchema } from '../../src/contract/model.ts';
import { pageHead, tableOf } from './page.ts';
import { describeType } from './schema-text.ts';

export function settingsPage(schema: JsonSchema): string {
  const intro =
    '`settings.json` lies in the state folder (`handrail doctor` names it). Every key may be left out. A key that is not listed here is refused.';
  const table = tableOf(['key', 'type', 'default', 'meaning'], listKeys(schema, ''));
  return `${pageHead('Settings', 'the JSON Schema of `settings.json`')}\n${intro}\n\n${table}\n`;
}

function listKeys(schema: JsonSchema, prefix: string): string[][] {
  const named = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>);
  const patterns = Object.entries((schema['patternProperties'] ?? {}) as Readonly<Record<string, JsonSchema>>);
  return [
    ...named.flatMap(([name, property]) => describeKey(`${prefix}${name}`, property)),
    ...patterns.flatMap(([pattern, property]) => describeKey(`${prefix}${readablePattern(pattern)}`, property)),
  ];
}

function describeKey(key: string, schema: JsonSchema): string[][] {
  const inner = listKeys(schema, `${key}.`);
  const items = schema['items'] as JsonSchema | undefined;
  const ofItems = items === undefined ? [] : listKeys(items, `${key}[].`);
  // A folder of keys needs no line of its own unless something is said of it.
  if (inner.length > 0 && schema['description'] === undefined) return inner;
  const initial = 'default' in schema && inner.length === 0 ? `\`${JSON.stringify(schema['default'])}\`` : '';
  return [[`\`${key}\``, describeType(schema), initial, String(schema['description'] ?? '')], ...inner, ...ofItems];
}

/** `^tool_enabled_[a-z0-9_]+$` → `tool_enabled_<id>`. */
const readablePattern = (pattern: string): string => pattern.replace(/^\^/, '').replace(/\[[^\]]*\]\+?\$?$/, '<id>');
