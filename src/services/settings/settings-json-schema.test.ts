import { expect, test } from 'vitest';
import { defaultSettings } from './default-settings.ts';
import { knownKeys } from './known-keys.ts';
import { settingsJsonSchema } from './settings-json-schema.ts';
import { validateSettings } from './validate-settings.ts';

type Schema = Readonly<Record<string, unknown>>;

test('every key that may be written is described, in one plain text', () => {
  const undescribed: string[] = [];
  const visit = (schema: Schema, path: string) => {
    for (const [name, child] of Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>)) {
      const description = child['description'];
      if (typeof description !== 'string' || description.length < 8) undescribed.push(`${path}${name}`);
      visit(child, `${path}${name}.`);
      if (typeof child['items'] === 'object') visit(child['items'] as Schema, `${path}${name}[].`);
    }
  };
  visit(settingsJsonSchema(), '');
  expect(undescribed).toEqual([]);
});

test('it names every key of the design, and refuses others', () => {
  const schema = settingsJsonSchema();
  const keys = knownKeys(schema);
  const designed = [
    '$schema',
    'model',
    'models',
    'models[].baseUrl',
    'fallback',
    'sandbox.rung',
    'sandbox.root',
    'sandbox.network.mode',
    'sandbox.network.allow',
    'sandbox.network.deny',
    'permissions.deny',
    'permissions.ask',
    'permissions.allow',
    'tools.allowed',
    'tools.disallowed',
    'features.memory',
    'shell.timeoutSeconds',
    'shell.maxTimeoutSeconds',
    'limits.rounds',
    'budgets',
    'search.provider',
    'search.baseUrl',
    'geo.baseUrl',
    'net.allowPrivate',
    'email',
    'mcpServers',
    'profiles.default',
    'appearance',
  ];
  expect(designed.filter((key) => !keys.includes(key))).toEqual([]);
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    additionalProperties: false,
    patternProperties: { '^tool_enabled_[a-z0-9_]+$': { type: 'boolean' } },
  });
  expect(schema).not.toHaveProperty('required');
});

test('the defaults in the schema are the defaults of the program', () => {
  expect(validateSettings({}, 'settings.json')).toEqual(defaultSettings);
  expect(settingsJsonSchema()).toMatchObject({
    properties: {
      sandbox: { properties: { rung: { default: defaultSettings.sandbox.rung } } },
      limits: { properties: { rounds: { default: 15 } } },
    },
  });
});
