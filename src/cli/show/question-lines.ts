/** A permission question for a terminal: why, the exact bytes, where, with which tool, the diff. What is shown is what will run. */
import type { ResolvedAccess } from '../../contract/access.ts';
import type { Question } from '../../contract/permission.ts';
import { showCounted } from './amounts.ts';
import { cleanLine } from './clean-text.ts';
import { diffLines } from './diff-lines.ts';
import { decodedForms, exactText } from './exact-text.ts';
import { line, span, type Line, type Span } from './span.ts';
import { outcomeLines } from './view-lines.ts';
import { wrapLine } from './wrap-lines.ts';

export type QuestionParts = {
  /** Why it is asked, and the tool's own line. */
  readonly why: readonly Line[];
  /** The exact bytes and the diff: may be long, is scrolled, never cut. */
  readonly body: readonly Line[];
  /** Tool, folder, paths, lengths. */
  readonly facts: readonly Line[];
};

/** `areBytesShown`: with a diff, the long arguments it was made of are shown only when asked for. */
export function questionParts(question: Question, width: number, areBytesShown: boolean): QuestionParts {
  // The tool's own line says nothing new where it is one of the exact values below.
  const values = Object.values(argumentsOf(question.input) ?? {});
  const isTold = question.summary === '' || (values.length === 1 && values[0] === question.summary);
  const summary = isTold ? [] : wrapLine([span(cleanLine(question.summary))], width);
  const diff = question.preview?.kind === 'diff' ? diffLines(question.preview, width) : [];
  const preview =
    question.preview === undefined || question.preview.kind === 'diff'
      ? diff
      : outcomeLines({ ok: true, text: '', view: question.preview }, width);
  return {
    why: [...summary, ...wrapLine([span(`${capital(cleanLine(question.reason))}.`, 'dim')], width)],
    body: [...argumentLines(question, width, preview.length > 0 && !areBytesShown), ...preview],
    facts: factLines(question, width),
  };
}

/** Each argument with its exact value; text that is no object of arguments as it is. */
function argumentLines(question: Question, width: number, isFolded: boolean): readonly Line[] {
  const values = argumentsOf(question.input);
  if (values === undefined) return valueLines(undefined, question.input, width, false);
  const names = Object.keys(values);
  return names.flatMap((name) => {
    const value = values[name];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const isLong = text.length > 120 || text.includes('\n');
    if (isFolded && isLong) {
      const length = showCounted([...text].length, 'character');
      return wrapLine(line(`${exactName(name)}: ${length}, in the diff below · V shows the bytes`, 'dim'), width, {
        hanging: [span('  ')],
      });
    }
    return valueLines(names.length === 1 ? undefined : name, text, width, typeof value === 'string');
  });
}

function valueLines(name: string | undefined, text: string, width: number, hasDecoded: boolean): readonly Line[] {
  const exact = exactText(text);
  const isMany = exact.lines.length > 1;
  const digits = String(exact.lines.length).length;
  const label = name === undefined ? [] : [span(`${exactName(name)}: `, 'dim')];
  const lines = exact.lines.flatMap((each, at) => {
    // Numbered, so that a line that was wrapped cannot be taken for two.
    const edge: Line = isMany ? [span(`${String(at + 1).padStart(digits)} `, 'dim')] : label;
    const hanging = [span(' '.repeat(isMany ? digits + 1 : 2))];
    return wrapLine([...edge, ...each.map(strong)], width, { keepSpaces: true, hanging });
  });
  const decoded = (hasDecoded ? decodedForms(text) : []).flatMap((form) =>
    wrapLine(
      [span('base64 in it reads: ', 'ask'), ...exactText(form).lines.flatMap((each) => [...each, span(' ')])],
      width,
    ),
  );
  const isTelling = exact.characters > 80 || exact.hidden > 0 || isMany;
  const hidden =
    exact.hidden === 0
      ? []
      : [span(`  ${showCounted(exact.hidden, 'hidden character')}, shown as \\x.. or \\u....`, 'ask')];
  const length = isTelling
    ? [[...(isMany ? label : []), span(lengthOf(exact.lines.length, exact.characters), 'dim'), ...hidden]]
    : [];
  return [...(isMany ? length : []), ...lines, ...(isMany ? [] : length), ...decoded].flatMap((each) =>
    wrapLine(each, width, { keepSpaces: true }),
  );
}

const strong = (each: Span): Span =>
  each.marks.includes('escape') ? each : { ...each, marks: [...each.marks, 'bold'] };

const exactName = (name: string): string =>
  exactText(name)
    .lines.flat()
    .map((each) => each.text)
    .join('');

function lengthOf(lines: number, characters: number): string {
  const count = showCounted(characters, 'character');
  return lines > 1 ? `${count} in ${showCounted(lines, 'line')}` : count;
}

function factLines(question: Question, width: number): readonly Line[] {
  return [
    ...question.accesses
      .flatMap(accessFacts)
      .flatMap((each) => wrapLine(each, width, { hanging: [span('  ')], keepSpaces: true })),
    ...wrapLine([span(`tool ${cleanLine(question.tool)}`, 'dim')], width),
  ];
}

function accessFacts(access: ResolvedAccess): readonly Line[] {
  const fact = (label: string, value: string, ...rest: Line): Line => [
    span(`${label} `, 'dim'),
    ...exactText(value).lines.flat(),
    ...rest,
  ];
  switch (access.kind) {
    case 'path':
      return [fact(access.mode, access.path, ...realPath(access))];
    case 'command':
      return [
        fact(
          'in',
          access.cwd,
          span(access.isSandboxed ? ' · in the sandbox' : ' · no sandbox', access.isSandboxed ? 'dim' : 'bad'),
        ),
      ];
    case 'url':
      return [fact(access.method, access.url)];
    case 'app':
      return [fact('program', access.name)];
    case 'message':
      return [fact('to', access.to)];
    case 'mcp':
      return [fact('server', access.server, span(' · ', 'dim'), ...exactText(access.tool).lines.flat())];
    case 'persist':
      return [line(`keeps a ${access.what}`, 'dim')];
    case 'none':
      return [];
  }
}

/** Where the path really leads, loudly when that is not simply the same path from some folder. */
function realPath(access: Extract<ResolvedAccess, { kind: 'path' }>): Line {
  if (access.realPath === access.path) return [];
  const isPlain = access.realPath.endsWith(`/${access.path.replace(/^\.\//, '')}`);
  return [span(isPlain ? ' is ' : ' is really ', isPlain ? 'dim' : 'ask'), ...exactText(access.realPath).lines.flat()];
}

function argumentsOf(input: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    // Not JSON: the caller shows the text itself, which is the exact truth anyway.
    return undefined;
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).replace(/[.!?]$/, '');
