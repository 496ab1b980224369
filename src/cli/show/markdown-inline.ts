/** Marks inside a line of Markdown: code, bold, italic, struck out, links. Links are shown with their whole target. */
import { cleanText } from './clean-text.ts';
import { span, type Mark, type Span } from './span.ts';

type Rule = {
  readonly pattern: RegExp;
  readonly spans: (match: RegExpExecArray, marks: readonly Mark[]) => readonly Span[];
};

/** `base` is given to every span. The text may be foreign: it is cleaned here. */
export function inlineSpans(text: string, ...base: readonly Mark[]): readonly Span[] {
  return read(cleanText(text).replaceAll('\n', ' '), base);
}

function read(text: string, marks: readonly Mark[]): readonly Span[] {
  const spans: Span[] = [];
  let plain = '';
  for (let at = 0; at < text.length;) {
    const found = opening.has(text[at] ?? '') ? matchAt(text, at) : undefined;
    if (found === undefined) {
      plain += text[at];
      at += 1;
      continue;
    }
    if (plain !== '') spans.push({ text: plain, marks });
    plain = '';
    spans.push(...found.rule.spans(found.match, marks));
    at += found.match[0].length;
  }
  if (plain !== '') spans.push({ text: plain, marks });
  return spans;
}

const opening: ReadonlySet<string> = new Set('\\`*_~[!<');

function matchAt(text: string, at: number): { readonly rule: Rule; readonly match: RegExpExecArray } | undefined {
  for (const rule of rules) {
    rule.pattern.lastIndex = at;
    const match = rule.pattern.exec(text);
    if (match !== null) return { rule, match };
  }
  return undefined;
}

/** Every pattern is sticky and looks at most a few hundred characters ahead, so that no text makes it slow. */
const rules: readonly Rule[] = [
  { pattern: /\\([!-/:-@[-`{-~])/y, spans: (match, marks) => [{ text: match[1] ?? '', marks }] },
  {
    pattern: /(`{1,3})(?!`)(.{1,400}?)(?<!`)\1(?!`)/y,
    spans: (match, marks) => [{ text: unpadded(match[2] ?? ''), marks: [...marks, 'code'] }],
  },
  {
    pattern:
      /!?\[([^\]\n]{0,300})\]\(\s*<?([^\s()<>]{1,1000}(?:\([^\s()]{0,200}\)[^\s()<>]{0,500})?)>?(?:\s+"[^"]{0,200}")?\s*\)/y,
    spans: linkSpans,
  },
  {
    pattern: /<(https?:\/\/[^\s<>]{1,1000})>/y,
    spans: (match, marks) => [{ text: match[1] ?? '', marks: [...marks, 'accent'] }],
  },
  {
    pattern: /(\*\*|__)(?=\S)(.{1,800}?)(?<=\S)\1/y,
    spans: (match, marks) => read(match[2] ?? '', [...marks, 'bold']),
  },
  { pattern: /~~(?=\S)(.{1,400}?)(?<=\S)~~/y, spans: (match, marks) => read(match[1] ?? '', [...marks, 'strike']) },
  {
    pattern: /(?<![\p{L}\p{N}*])\*(?=[^\s*])(.{1,400}?)(?<=[^\s*])\*(?!\*)/uy,
    spans: (match, marks) => read(match[1] ?? '', [...marks, 'italic']),
  },
  {
    pattern: /(?<![\p{L}\p{N}_])_(?=[^\s_])(.{1,400}?)(?<=[^\s_])_(?![\p{L}\p{N}_])/uy,
    spans: (match, marks) => read(match[1] ?? '', [...marks, 'italic']),
  },
];

function linkSpans(match: RegExpExecArray, marks: readonly Mark[]): readonly Span[] {
  const label = match[1] ?? '';
  const target = match[2] ?? '';
  // A label that looks like another address must not stand for it: both are shown.
  if (label === '' || label === target) return [{ text: target, marks: [...marks, 'accent'] }];
  return [
    ...read(label, marks),
    span(' (', ...marks, 'dim'),
    { text: target, marks: [...marks, 'accent'] },
    span(')', ...marks, 'dim'),
  ];
}

function unpadded(code: string): string {
  return code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '' ? code.slice(1, -1) : code;
}
