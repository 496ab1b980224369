/** docs/features.md: every feature, how far it is, and the tests that show it. */
import type { Problem } from '../check/source-files.ts';
import { pageHead, tableOf } from './page.ts';

/** `fixture`: done, as far as a fixture can show it. */
const states = ['done', 'part', 'not yet', 'fixture'] as const;

type Feature = {
  readonly id: string;
  readonly phrase: string;
  readonly state: (typeof states)[number];
  readonly note: string;
};

export type FeatureSections = readonly { readonly title: string; readonly rows: readonly Feature[] }[];

type Tests = ReadonlyMap<string, readonly string[]>;

export function featuresPage(sections: FeatureSections, tests: Tests): string {
  const rows = sections.flatMap((section) => section.rows);
  const counts = states.map((state) => `${rows.filter((row) => row.state === state).length} ${state}`).join(', ');
  const intro = `State and note are kept by hand in \`docs/features.json\`; a row that says done must have a test. Of ${rows.length}: ${counts}.`;
  const parts = sections.map((section) =>
    [
      `## ${section.title}`,
      tableOf(
        ['id', 'what', 'state', 'tests'],
        section.rows.map((row) => [
          row.id,
          row.phrase,
          row.note === '' ? row.state : `${row.state}: ${row.note}`,
          (tests.get(row.id) ?? []).map((file) => `[${file.split('/').at(-1)}](../${file})`).join(', '),
        ]),
      ),
    ].join('\n\n'),
  );
  return `${pageHead('Features', '`docs/features.json` and the titles of the tests')}\n${intro}\n\n${parts.join('\n\n')}\n`;
}

/** Claims without a test, tests of nothing, ids that stand twice. */
export function checkFeatures(sections: FeatureSections, tests: Tests): readonly Problem[] {
  const rows = sections.flatMap((section) => section.rows);
  const ids = rows.map((row) => row.id);
  const say = (text: string): Problem => ({ file: 'docs/features.json', line: 0, text });
  return [
    ...rows.flatMap(({ id, state }) => {
      if (!states.includes(state)) return [say(`${id}: "${state}" is no state (${states.join(', ')})`)];
      const isClaimed = state === 'done' || state === 'fixture';
      return isClaimed && !tests.has(id) ? [say(`${id} says ${state}, and no test carries its id`)] : [];
    }),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => say(`${id} stands twice`)),
    ...[...tests].flatMap(([id, [file = '']]) =>
      ids.includes(id) ? [] : [{ file, line: 0, text: `a test carries ${id}, which is no feature` }],
    ),
  ];
}
