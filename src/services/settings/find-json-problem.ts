/** Finds where a text stops being JSON (RFC 8259), and names said twice: JSON.parse tells neither reliably. */

export type JsonProblem = { readonly offset: number; readonly message: string };

type Scanner = { readonly text: string; at: number; depth: number };

const maxDepth = 100;
const token = /[^\s,:{}[\]"']+/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/** Undefined when the whole text is one JSON value in which no object says a name twice. */
export function findJsonProblem(text: string): JsonProblem | undefined {
  const scanner: Scanner = { text, at: 0, depth: 0 };
  skipSpace(scanner);
  if (scanner.at === text.length) return problem(scanner, 'the file is empty: write {} for no settings');
  const found = readValue(scanner);
  if (found !== undefined) return found;
  skipSpace(scanner);
  return scanner.at === text.length ? undefined : problem(scanner, 'nothing may follow the last bracket');
}

const problem = (scanner: Scanner, message: string, offset = scanner.at): JsonProblem => ({ offset, message });

function skipSpace(scanner: Scanner): void {
  while (' \t\n\r'.includes(scanner.text.charAt(scanner.at) || '.')) scanner.at += 1;
}

function readValue(scanner: Scanner): JsonProblem | undefined {
  const character = scanner.text.charAt(scanner.at);
  if (character === '{' || character === '[') return readContainer(scanner, character);
  if (character === '"') return readString(scanner);
  if (character === '-' || (character >= '0' && character <= '9')) return readNumber(scanner);
  return readWord(scanner, character);
}

function readContainer(scanner: Scanner, open: '{' | '['): JsonProblem | undefined {
  if (scanner.depth === maxDepth) return problem(scanner, `brackets are nested more than ${maxDepth} deep`);
  scanner.depth += 1;
  scanner.at += 1;
  const found = readEntries(scanner, open);
  scanner.depth -= 1;
  return found;
}

function readEntries(scanner: Scanner, open: '{' | '['): JsonProblem | undefined {
  const close = open === '{' ? '}' : ']';
  const names = new Set<string>();
  skipSpace(scanner);
  if (scanner.text.charAt(scanner.at) === close) return step(scanner);
  for (;;) {
    const found = open === '{' ? readMember(scanner, names) : readValue(scanner);
    if (found !== undefined) return found;
    skipSpace(scanner);
    const character = scanner.text.charAt(scanner.at);
    if (character === close) return step(scanner);
    if (character !== ',')
      return problem(
        scanner,
        character === '' ? `the file ends before "${close}"` : `a comma or "${close}" is missing before this`,
      );
    const comma = scanner.at;
    scanner.at += 1;
    skipSpace(scanner);
    if (scanner.text.charAt(scanner.at) === close)
      return problem(scanner, `there may be no comma before "${close}"`, comma);
  }
}

function readMember(scanner: Scanner, names: Set<string>): JsonProblem | undefined {
  const start = scanner.at;
  if (scanner.text.charAt(start) !== '"') return problem(scanner, unquotedName(scanner.text, start));
  const found = readString(scanner);
  if (found !== undefined) return found;
  const name = JSON.parse(scanner.text.slice(start, scanner.at)) as string;
  if (names.has(name)) return problem(scanner, 'this name was said before in the same object', start);
  names.add(name);
  skipSpace(scanner);
  if (scanner.text.charAt(scanner.at) !== ':') return problem(scanner, 'a colon is missing before this');
  scanner.at += 1;
  skipSpace(scanner);
  return readValue(scanner);
}

function readString(scanner: Scanner): JsonProblem | undefined {
  const start = scanner.at;
  for (scanner.at += 1; scanner.at < scanner.text.length; scanner.at += 1) {
    const character = scanner.text.charAt(scanner.at);
    if (character === '"') return step(scanner);
    if (character === '\\') {
      const escape = /["\\/bfnrt]|u[0-9A-Fa-f]{4}/y;
      escape.lastIndex = scanner.at + 1;
      const matched = escape.exec(scanner.text)?.[0];
      if (matched === undefined)
        return problem(scanner, 'this is no escape of JSON; a backslash itself is written \\\\');
      scanner.at += matched.length;
    } else if (character < ' ') {
      return problem(
        scanner,
        character === '\n' ? 'the text ends with its line: a quote is missing' : 'a control character must be escaped',
      );
    }
  }
  return problem(scanner, 'the text that begins here never ends: a quote is missing', start);
}

function readNumber(scanner: Scanner): JsonProblem | undefined {
  const start = scanner.at;
  number.lastIndex = start;
  scanner.at += number.exec(scanner.text)?.[0].length ?? 0;
  const isWhole = scanner.at > start && !/[\w.+-]/.test(scanner.text.charAt(scanner.at));
  return isWhole ? undefined : problem(scanner, 'this is no number of JSON', start);
}

function readWord(scanner: Scanner, character: string): JsonProblem | undefined {
  if (character === '') return problem(scanner, 'the file ends where a value is expected');
  if (character === '/' || character === '#') return problem(scanner, 'comments are not allowed');
  if (character === "'") return problem(scanner, 'texts stand in double quotes');
  token.lastIndex = scanner.at;
  const word = token.exec(scanner.text)?.[0] ?? '';
  if (word !== 'true' && word !== 'false' && word !== 'null')
    return problem(scanner, 'a value is expected here; texts stand in double quotes');
  scanner.at += word.length;
  return undefined;
}

function step(scanner: Scanner): undefined {
  scanner.at += 1;
  return undefined;
}

function unquotedName(text: string, at: number): string {
  const character = text.charAt(at);
  if (character === '') return 'the file ends where a name is expected';
  return character === '/' || character === '#'
    ? 'comments are not allowed'
    : 'a name in double quotes is expected here';
}
