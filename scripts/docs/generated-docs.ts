/** Which pages are generated, from what, and whether they are up to date. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describeTools } from '../build/tool-manifest.ts';
import type { Problem, SourceFile } from '../check/source-files.ts';
import { errorsPage } from './errors-page.ts';
import { eventsPage } from './events-page.ts';
import { checkFeatures, featuresPage, type FeatureSections } from './features-page.ts';
import { findFeatureTests } from './find-feature-tests.ts';
import { settingsPage } from './settings-page.ts';
import { toolsPage } from './tools-page.ts';

type MakePage = (root: string, files: readonly SourceFile[]) => Promise<string>;

const pages: Readonly<Record<string, MakePage>> = {
  'docs/reference/tools.md': async (root) => toolsPage(await describeTools(path.join(root, 'src/tools'))),
  'docs/reference/errors.md': async () => errorsPage(),
  'docs/reference/events.md': async (root) =>
    eventsPage(await readFile(path.join(root, 'src/contract/event.ts'), 'utf8')),
  'docs/reference/settings.md': async () => {
    const { settingsJsonSchema } = await import('../../src/services/settings/settings-json-schema.ts');
    return settingsPage(settingsJsonSchema());
  },
  'docs/features.md': async (root, files) => featuresPage(await readFeatures(root), findFeatureTests(files)),
};

export async function writeDocs(root: string, files: readonly SourceFile[]): Promise<void> {
  for (const [name, makePage] of Object.entries(pages)) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, await makePage(root, files));
  }
}

export async function findOutdatedDocs(root: string, files: readonly SourceFile[]): Promise<readonly Problem[]> {
  const problems = [...checkFeatures(await readFeatures(root), findFeatureTests(files))];
  for (const [name, makePage] of Object.entries(pages)) {
    const found = files.find((file) => file.name === name)?.text;
    if (found === (await makePage(root, files))) continue;
    problems.push({
      file: name,
      line: 0,
      text: `is ${found === undefined ? 'missing' : 'not up to date'}: npm run docs`,
    });
  }
  return problems;
}

async function readFeatures(root: string): Promise<FeatureSections> {
  return JSON.parse(await readFile(path.join(root, 'docs/features.json'), 'utf8')) as FeatureSections;
}
