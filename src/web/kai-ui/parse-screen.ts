/** A screen from the text of a fenced block: one JSON object, a list, or one object per line. Pure; never throws. */
import { readLenientJson } from './read-lenient-json.ts';
import { readNodes } from './read-node.ts';
import { isInput, type InputNode, type ScreenNode } from './screen-node.ts';
import { recordOf, textOf } from './written.ts';

export type Screen = { readonly nodes: readonly ScreenNode[]; readonly title: string };

/** Longer ones are shown as code. */
const mostCharacters = 200_000;

/** Undefined: there is nothing in it that could be drawn. It is shown as code then. */
export function parseScreen(text: string): Screen | undefined {
  if (text.length > mostCharacters) return undefined;
  const values = readLenientJson(text).filter((each) => typeof each === 'object' && each !== null);
  const nodes = readNodes(values.flatMap(unwrapped));
  if (nodes.length === 0) return undefined;
  return { nodes, title: titleOf(nodes) };
}

/** `{"ui": {…}}` and `{"screen": {…}}` are the screen within. */
function unwrapped(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(unwrapped);
  const record = recordOf(value);
  const inner = record?.['ui'] ?? record?.['screen'] ?? record?.['root'] ?? record?.['kai-ui'];
  return record !== undefined && textOf(record, 'type') === '' && inner !== undefined ? unwrapped(inner) : [value];
}

function titleOf(nodes: readonly ScreenNode[]): string {
  for (const style of ['title', 'heading', 'body']) {
    const found = allNodes(nodes).find((node) => node.type === 'text' && node.style === style);
    if (found?.type === 'text') return found.text.split('\n')[0] ?? '';
  }
  return '';
}

/** Every node, those within others too. */
export function allNodes(nodes: readonly ScreenNode[]): readonly ScreenNode[] {
  return nodes.flatMap((node) => [node, ...allNodes(childrenOf(node))]);
}

function childrenOf(node: ScreenNode): readonly ScreenNode[] {
  if ('children' in node) return node.children;
  if (node.type === 'tabs') return node.tabs.flatMap(({ children }) => children);
  return node.type === 'list' ? node.items.flat() : [];
}

export const inputsOf = (screen: Screen): readonly InputNode[] => allNodes(screen.nodes).filter(isInput);
