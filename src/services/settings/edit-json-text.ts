/**
 * Changes one value in the text of a JSON object and leaves every other byte as it is: settings.json is also edited by hand. The text
 * is valid and says no name twice; whoever calls has looked (parse-settings-text.ts).
 */

type Member = { readonly name: string; readonly start: number; readonly valueStart: number; readonly end: number };
type Container = { readonly open: number; readonly close: number; readonly members: readonly Member[] };

/** Lists of plain values that are no longer than this stay on one line. */
const maxLineChars = 100;

/** `value` undefined: the member goes, and with it a container that held nothing else. */
export function editJsonText(text: string, path: readonly string[], value: unknown): string {
  const indent = /\{[ \t]*\r?\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  let container = readContainer(text, text.indexOf('{'));
  let emptied: { readonly container: Container; readonly member: Member } | undefined;
  for (const [depth, name] of path.entries()) {
    const member = container.members.find((each) => each.name === name);
    const inner = path.slice(depth + 1);
    if (member === undefined)
      return value === undefined ? text : insert(text, container, name, nest(inner, value), indent, depth + 1);
    if (value === undefined) {
      emptied = container.members.length === 1 && emptied !== undefined ? emptied : { container, member };
      if (inner.length === 0) return remove(text, emptied.container, emptied.member);
    }
    if (inner.length === 0 || text[member.valueStart] !== '{') {
      if (value === undefined) return text;
      return splice(text, member.valueStart, member.end, write(nest(inner, value), indent, depth + 1));
    }
    container = readContainer(text, member.valueStart);
  }
  return text;
}

const nest = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight((inner, name) => Object.fromEntries([[name, inner]]), value);

const splice = (text: string, start: number, end: number, between: string): string =>
  text.slice(0, start) + between + text.slice(end);

function insert(
  text: string,
  { open, close, members }: Container,
  name: string,
  value: unknown,
  indent: string,
  depth: number,
): string {
  const member = `${JSON.stringify(name)}: ${write(value, indent, depth)}`;
  const [first, last] = [members[0], members.at(-1)];
  if (first === undefined || last === undefined)
    return splice(text, open + 1, close, `\n${indent.repeat(depth)}${member}\n${indent.repeat(depth - 1)}`);
  // As the members before it stand: each on its own line, or all on one.
  const before = text.slice(open + 1, first.start);
  return splice(text, last.end, last.end, `,${before.includes('\n') ? before : ' '}${member}`);
}

function remove(text: string, { open, close, members }: Container, member: Member): string {
  const at = members.indexOf(member);
  const [before, after] = [members[at - 1], members[at + 1]];
  if (before !== undefined) return splice(text, before.end, member.end, '');
  return after === undefined ? splice(text, open + 1, close, '') : splice(text, member.start, after.start, '');
}

function write(value: unknown, indent: string, depth: number): string {
  const isPlain = Array.isArray(value) && value.every((each) => typeof each !== 'object');
  const line = isPlain ? `[${value.map((each) => JSON.stringify(each)).join(', ')}]` : undefined;
  if (line !== undefined && line.length <= maxLineChars) return line;
  return JSON.stringify(value, undefined, indent).replaceAll('\n', `\n${indent.repeat(depth)}`);
}

function readContainer(text: string, open: number): Container {
  const members: Member[] = [];
  let at = skip(text, open + 1);
  while (text[at] !== '}') {
    if (text[at] === ',') at = skip(text, at + 1);
    const nameEnd = endOfText(text, at);
    const valueStart = skip(text, skip(text, nameEnd) + 1);
    const end = endOfValue(text, valueStart);
    members.push({ name: String(JSON.parse(text.slice(at, nameEnd))), start: at, valueStart, end });
    at = skip(text, end);
  }
  return { open, close: at, members };
}

function skip(text: string, at: number): number {
  while (' \t\n\r'.includes(text.charAt(at) || '.')) at += 1;
  return at;
}

/** Behind the closing quote. */
function endOfText(text: string, open: number): number {
  let at = open + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfText(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfText(text, at) - 1;
    else if ('{['.includes(character)) depth += 1;
    else if ('}]'.includes(character)) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && ', \t\n\r'.includes(character)) return at;
  }
  return text.length;
}
