/** Finds tools by words: the request to a model stays small however many there are. */
import type { FoundTool, ToolCatalog } from '../contract/tool-catalog.ts';
import type { ServiceOwner } from '../contract/services.ts';
import type { ToolDescriptor } from '../contract/tool.ts';
import { fillDescription } from './offered-tools.ts';

/** `tools`: those that are on at this moment. */
export function createToolCatalog(
  tools: () => readonly ToolDescriptor[],
  environment: string,
): ServiceOwner<ToolCatalog> {
  const catalog: ToolCatalog = {
    find(query, limit) {
      const words = wordsOf(query);
      const rated = tools()
        .map((tool) => ({ tool, score: rate(tool, words, query.trim().toLowerCase()) }))
        .filter(({ score }) => score > 0);
      rated.sort((left, right) => right.score - left.score || left.tool.name.localeCompare(right.tool.name, 'en'));
      return rated.slice(0, limit).map(({ tool }) => describe(tool));
    },
  };
  const describe = ({ name, title, description }: ToolDescriptor): FoundTool => ({
    name,
    title,
    description: fillDescription(description, environment, tools()),
  });
  return { forCall: () => catalog, close: () => Promise.resolve() };
}

/** Where a word stands says how much it means; a beginning counts for less than the whole word. */
function rate(tool: ToolDescriptor, words: readonly string[], query: string): number {
  const names = [tool.name, ...tool.aliases].map((name) => name.toLowerCase());
  if (names.includes(query.replaceAll(/[\s-]+/g, '_'))) return 1000;
  const fields = [
    { weight: 8, words: names.flatMap(wordsOf) },
    { weight: 5, words: wordsOf(`${tool.title} ${tool.group}`) },
    { weight: 2, words: wordsOf(tool.description) },
  ];
  return words.reduce(
    (sum, word) => sum + Math.max(...fields.map((field) => field.weight * match(word, field.words))),
    0,
  );
}

function match(word: string, candidates: readonly string[]): number {
  if (candidates.includes(word)) return 1;
  const isNear = (other: string): boolean =>
    (word.length >= 3 && other.startsWith(word)) || (other.length >= 4 && word.startsWith(other));
  return candidates.some(isNear) ? 0.6 : 0;
}

/** Words that every description has say nothing. */
const empty = new Set([
  'a',
  'an',
  'and',
  'the',
  'to',
  'of',
  'in',
  'on',
  'for',
  'with',
  'or',
  'is',
  'it',
  'my',
  'tool',
  'tools',
]);

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => !empty.has(word));
}
