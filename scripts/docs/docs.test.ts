import path from 'node:path';
import { expect, test } from 'vitest';
import { modelFailureKinds, toolFailureCodes } from '../../src/contract/failure.ts';
import { createTemporaryTree } from '../../test/kit/temporary-tree.ts';
import { readSourceFiles } from '../check/source-files.ts';
import { errorsPage, modelFailureMeanings, toolFailureMeanings } from './errors-page.ts';
import { eventsPage } from './events-page.ts';
import { checkFeatures, featuresPage, type FeatureSections } from './features-page.ts';
import { findFeatureTests } from './find-feature-tests.ts';
import { settingsPage } from './settings-page.ts';
import { toolsPage } from './tools-page.ts';

const root = path.join(import.meta.dirname, '../..');

test('every code of a failure is explained, and nothing is explained that is no code', () => {
  expect(Object.keys(toolFailureMeanings)).toEqual([...toolFailureCodes, 'internal']);
  expect(Object.keys(modelFailureMeanings)).toEqual([...modelFailureKinds]);
  const rows = [...errorsPage().matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
  expect(rows).toEqual([...toolFailureCodes, 'internal', ...modelFailureKinds]);
});

test('an event is documented by its comment, and one without a comment stops the generator', () => {
  const union = (comment: string): string =>
    `/** Other. */\ntype A = 1;\nexport type EventBody =\n  /** First. */\n  | { readonly type: 'one'; readonly a?: readonly string[] }\n${comment}  | { readonly type: 'two' };\n`;
  const page = eventsPage(union('  /**\n   * Second,\n   * longer.\n   */\n'));
  expect(page).toContain('## one\n\nFirst.\n\n| field | type |\n|---|---|\n| `a?` | `string[]` |');
  expect(page).toContain('## two\n\nSecond,\nlonger.');
  expect(() => eventsPage(union(''))).toThrow('the event two has no comment');
});

test('keys of the settings are listed with type, default and meaning, inner ones by their path', () => {
  const page = settingsPage({
    properties: {
      shell: {
        type: 'object',
        properties: { seconds: { type: 'integer', minimum: 1, default: 30, description: 'How long.' } },
      },
      list: { type: 'array', default: [], items: { type: 'object', properties: { name: { enum: ['a', 'b'] } } } },
    },
    patternProperties: { '^tool_enabled_[a-z]+$': { type: 'boolean' } },
  });
  expect(page).toContain('| `shell.seconds` | integer from 1 | `30` | How long. |');
  expect(page).toContain('| `list[].name` | `a`, `b` |  |  |');
  expect(page).toContain('| `tool_enabled_<id>` | boolean |  |  |');
});

test('a tool is listed with what it takes, gives and may do', () => {
  const page = toolsPage([
    {
      name: 'look_up',
      group: 'files',
      title: 'Look up',
      description: 'Looks.',
      aliases: ['seek'],
      inputSchema: {
        properties: { at: { type: 'string', description: 'Where a | b' }, n: { type: 'integer', default: 2 } },
        required: ['at'],
      },
      outputSchema: { properties: {} },
      effect: 'read',
      timeoutMs: 30_000,
      maxChars: 20_000,
      enabledByDefault: false,
      smallModels: true,
      platforms: ['linux'],
    },
  ]);
  expect(page).toContain('### look_up\n\n**Look up**: Looks.');
  expect(page).toContain(
    'also called `seek`; effect `read`; at most 30 s; 20,000 characters for the model; off by default; offered to small local models; on linux only.',
  );
  expect(page).toContain('| `at` | string | yes | Where a \\| b |');
  expect(page).toContain('| `n` | integer | no: `2` |  |');
});

const section = (state: 'done' | 'part' | 'not yet' | 'fixture'): FeatureSections => [
  { title: 'T', rows: [{ id: 'K01', phrase: 'it works', state, note: '' }] },
];

test('tests are found by the ids at the start of their titles, in every form of a test', async () => {
  const tree = await createTemporaryTree({
    'src/a.test.ts':
      "test('[K01] a', f); describe(`[K02] [E03, E04] ${x}`, f); test.each(rows)('[S05] b', f); it.skip('[L06] c', f);",
    'src/b.test.ts': "test('[K01] again', f); test('not [K07] at the start', f); other('[K08] no test', f);",
    'src/c.ts': "test('[K09] in no test file', f);",
  });
  const found = findFeatureTests(await readSourceFiles(tree));
  expect([...found.keys()].toSorted()).toEqual(['E03', 'E04', 'K01', 'K02', 'L06', 'S05']);
  expect(found.get('K01')).toEqual(['src/a.test.ts', 'src/b.test.ts']);
});

test('a feature that says done without a test is refused; with one it is let through', () => {
  const tests = new Map([['K01', ['src/a.test.ts']]]);
  for (const state of ['done', 'fixture'] as const) {
    expect(checkFeatures(section(state), new Map())).toMatchObject([
      { text: expect.stringContaining('no test carries its id') },
    ]);
    expect(checkFeatures(section(state), tests)).toEqual([]);
  }
  expect(checkFeatures(section('part'), new Map())).toEqual([]);
  expect(featuresPage(section('done'), tests)).toContain('| K01 | it works | done | [a.test.ts](../src/a.test.ts) |');
});

test('an id that stands twice, an unknown state and a test of an unknown feature are refused', () => {
  const twice = [...section('not yet'), ...section('not yet')];
  expect(checkFeatures(twice, new Map())).toMatchObject([{ text: 'K01 stands twice' }]);
  const odd = section('finished' as 'done');
  expect(checkFeatures(odd, new Map())).toMatchObject([{ text: expect.stringContaining('is no state') }]);
  const stray = new Map([['K99', ['src/a.test.ts']]]);
  expect(checkFeatures(section('not yet'), stray)).toMatchObject([
    { file: 'src/a.test.ts', text: expect.stringContaining('K99') },
  ]);
});

test('the checklist holds every number without a gap', async () => {
  const { default: sections } = (await import('../../docs/features.json', { with: { type: 'json' } })) as {
    default: FeatureSections;
  };
  const ids = sections.flatMap(({ rows }) => rows.map(({ id }) => id));
  const count = (letter: string, last: number): string[] =>
    Array.from({ length: last }, (_, index) => `${letter}${String(index + 1).padStart(2, '0')}`);
  expect(ids).toEqual([...count('K', 93), ...count('S', 37), ...count('N', 41), ...count('E', 26), ...count('L', 33)]);
  expect((await readSourceFiles(root)).some(({ name }) => name === 'docs/features.json')).toBe(true);
});
