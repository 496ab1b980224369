/** Brings what a model wrote into the nodes of a screen: other names for the same thing are understood, what is unknown is left out. Pure. */
import type { Action, ScreenNode } from './screen-node.ts';
import { readInput } from './read-input.ts';
import { flagOf, listOf, numberOf, oneOf, recordOf, textOf, type Written } from './written.ts';

/** No screen needs more; a model that repeats itself must not hold up the page. */
const mostNodes = 600;
const mostDepth = 16;

export type NodeCount = { nodes: number };

export function readNodes(given: unknown, count: NodeCount = { nodes: 0 }, depth = 0): readonly ScreenNode[] {
  if (depth > mostDepth) return [];
  const list = Array.isArray(given) ? given : given === undefined || given === null ? [] : [given];
  return list.flatMap((each: unknown) => {
    if (count.nodes >= mostNodes) return [];
    const node = readNode(each, count, depth);
    if (node === undefined) return [];
    count.nodes += 1;
    return [node];
  });
}

function readNode(given: unknown, count: NodeCount, depth: number): ScreenNode | undefined {
  if (typeof given === 'string' || typeof given === 'number')
    return String(given).trim() === '' ? undefined : { type: 'text', text: String(given), style: 'body' };
  const written = recordOf(given);
  if (written === undefined) return undefined;
  const type = typeOf(written, textOf(written, 'type', 'kind', 'component', 'node').toLowerCase());
  const node = readInput(type, written) ?? readContent(type, written, count, depth);
  if (node === undefined) return undefined;
  const id = textOf(written, 'id', 'key');
  const isHidden = flagOf(written, 'hidden', 'isHidden') ?? flagOf(written, 'visible') === false;
  return { ...(id === '' ? {} : { id }), ...node, ...(isHidden ? { isHidden } : {}) } as ScreenNode;
}

/** A node without a type is what it holds. */
function typeOf(written: Written, type: string): string {
  const known = otherNames[type.replaceAll(/[\s_-]/g, '')] ?? type.replaceAll(/[\s-]/g, '_');
  if (known !== '') return known;
  if (written['children'] !== undefined) return 'column';
  return written['text'] === undefined ? '' : 'text';
}

const otherNames: Readonly<Record<string, string>> = {
  root: 'column',
  screen: 'column',
  container: 'column',
  stack: 'column',
  vstack: 'column',
  form: 'column',
  group: 'column',
  section: 'column',
  hstack: 'row',
  panel: 'card',
  heading: 'heading',
  header: 'heading',
  title: 'title',
  paragraph: 'text',
  label: 'text',
  markdown: 'text',
  caption: 'caption',
  separator: 'divider',
  textinput: 'text_input',
  textfield: 'text_input',
  textarea: 'text_input',
  input: 'text_input',
  toggle: 'switch',
  dropdown: 'select',
  radiogroup: 'radio_group',
  radio: 'radio_group',
  chipgroup: 'chip_group',
  chips: 'chip_group',
  range: 'slider',
  progressbar: 'progress',
  timer: 'countdown',
  notice: 'alert',
  blockquote: 'quote',
  tag: 'badge',
  metric: 'stat',
};

function readContent(type: string, written: Written, count: NodeCount, depth: number): ScreenNode | undefined {
  const children = (): readonly ScreenNode[] =>
    readNodes(written['children'] ?? written['items'] ?? written['content'], count, depth + 1);
  switch (type) {
    case 'column':
    case 'row':
    case 'box':
      return { type, children: children() };
    case 'card': {
      const title = textOf(written, 'title');
      const heading: readonly ScreenNode[] = title === '' ? [] : [{ type: 'text', text: title, style: 'heading' }];
      return { type, children: [...heading, ...children()] };
    }
    case 'tabs':
      return { type, tabs: readTabs(written, count, depth) };
    case 'accordion':
      return {
        type,
        title: textOf(written, 'title', 'label', 'header'),
        isOpen: flagOf(written, 'expanded', 'open', 'isOpen') ?? false,
        children: children(),
      };
    case 'list':
      return {
        type,
        isOrdered: flagOf(written, 'ordered', 'isOrdered') ?? false,
        items: listOf(written['items'] ?? written['children']).map((item) => readNodes(item, count, depth + 1)),
      };
    default:
      return readLeaf(type, written);
  }
}

function readTabs(written: Written, count: NodeCount, depth: number) {
  return listOf(written['tabs'] ?? written['items'] ?? written['children']).flatMap((each) => {
    const tab = recordOf(each);
    if (tab === undefined) return [];
    const children = readNodes(tab['children'] ?? tab['content'], count, depth + 1);
    return [{ label: textOf(tab, 'label', 'title', 'name'), children }];
  });
}

function readLeaf(type: string, written: Written): ScreenNode | undefined {
  const text = textOf(written, 'text', 'value', 'content', 'message', 'label');
  switch (type) {
    case 'divider':
      return { type };
    case 'title':
    case 'heading':
    case 'caption':
      return { type: 'text', text, style: type };
    case 'text':
      return text === '' ? undefined : { type, text, style: styleOf(textOf(written, 'style', 'variant')) };
    case 'image':
      return { type, url: textOf(written, 'url', 'src'), alt: textOf(written, 'alt', 'label', 'title') };
    case 'icon':
      return { type, name: textOf(written, 'name', 'icon'), label: textOf(written, 'label', 'alt') };
    case 'code':
      return { type, code: textOf(written, 'code', 'text', 'value'), language: textOf(written, 'language', 'lang') };
    case 'button':
      return { type, label: textOf(written, 'label', 'text', 'title'), action: readAction(written) };
    case 'quote':
      return { type, text, source: textOf(written, 'source', 'author') };
    case 'badge':
      return text === '' ? undefined : { type, text };
    case 'avatar':
      return { type, name: textOf(written, 'name', 'label', 'text') };
    default:
      return readFigure(type, written);
  }
}

function readFigure(type: string, written: Written): ScreenNode | undefined {
  const label = textOf(written, 'label', 'title', 'name');
  switch (type) {
    case 'progress': {
      const value = numberOf(written, 'value', 'progress');
      const most = numberOf(written, 'max') ?? (value !== undefined && value > 1 ? 100 : 1);
      return { type, label, value: value === undefined ? undefined : Math.min(1, Math.max(0, value / most)) };
    }
    case 'countdown':
      return { type, label, seconds: Math.max(0, numberOf(written, 'seconds', 'duration', 'value') ?? 0) };
    case 'stat':
      return { type, label, value: textOf(written, 'value'), text: textOf(written, 'description', 'text', 'change') };
    case 'alert':
      return {
        type,
        title: textOf(written, 'title'),
        text: textOf(written, 'message', 'text', 'value', 'content'),
        severity: oneOf(textOf(written, 'severity', 'variant', 'style', 'level'), severities) ?? 'info',
      };
    case 'table':
      return { type, ...readTable(written) };
    default:
      return undefined;
  }
}

const severities = ['info', 'success', 'warning', 'error'] as const;

const styleOf = (style: string): 'title' | 'heading' | 'body' | 'caption' => {
  if (/^(title|h1|display|headline.?large)$/i.test(style)) return 'title';
  if (/^(head|h[2-6]|subtitle)/i.test(style)) return 'heading';
  return /^(caption|small|label|muted)/i.test(style) ? 'caption' : 'body';
};

function readTable(written: Written) {
  const given = listOf(written['rows'] ?? written['data']);
  const named = listOf(written['headers'] ?? written['columns']).map((each) =>
    typeof each === 'object' ? textOf(recordOf(each) ?? {}, 'label', 'title', 'key') : String(each),
  );
  const first = recordOf(given[0]);
  const headers = named.length === 0 && first !== undefined ? Object.keys(first) : named;
  const rows = given.map((row) => {
    const record = recordOf(row);
    const cells = record === undefined ? listOf(row) : Object.values(record);
    return cells.map((cell) => (typeof cell === 'object' ? JSON.stringify(cell) : String(cell)));
  });
  return { headers, rows: rows.slice(0, 500) };
}

function readAction(button: Written): Action | undefined {
  const given = button['action'] ?? button['onClick'] ?? button['onPress'];
  if (typeof given === 'string') return { type: 'callback', event: given, data: {} };
  const action = recordOf(given) ?? button;
  const type = textOf(action, 'type', 'kind', 'action').toLowerCase();
  const url = textOf(action, 'url', 'href');
  if (type === 'toggle') return { type, target: textOf(action, 'target', 'targetId', 'id') };
  if (type === 'open_url' || (type !== 'callback' && url !== '')) return { type: 'open_url', url };
  if (type.startsWith('copy')) return { type: 'copy_to_clipboard', text: textOf(action, 'text', 'value', 'content') };
  const event = textOf(action, 'event', 'name', 'callback');
  // A button that leads nowhere says its own name.
  const label = textOf(button, 'label', 'text', 'title');
  const collect = action['collectFrom'] ?? action['collect_from'] ?? action['collect'];
  return {
    type: 'callback',
    event: event === '' ? label : event,
    data: recordOf(action['data'] ?? action['payload']) ?? {},
    ...(Array.isArray(collect) ? { collectFrom: collect.map(String) } : {}),
  };
}
