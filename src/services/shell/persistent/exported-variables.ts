/** Takes the output of bash's `declare -p` apart, without running any of it. Texts are bytes, one per character (latin1). */

export type Declaration = {
  readonly name: string;
  /** As printed, without the line's end: bash reads it back. */
  readonly text: string;
};

const quoted = String.raw`(?:"(?:[^"\\$\x60]|\\[^])*"|\$'(?:[^'\\]|\\[^])*')`;
const key = String.raw`\[(?:[A-Za-z0-9_.-]+|${quoted})\]`;
const list = String.raw`\((?:${key}=${quoted} ?)*\)`;
/** No value that bash would compute with, and no reference to another variable: reading those back could run something. */
const declaration = new RegExp(
  String.raw`^declare -([AaclrtuxS-]+) ([A-Za-z_][A-Za-z0-9_]*)(?:=(?:${quoted}|${list}))?$`,
);
const number = /^declare -[a-z]*i[a-z]* ([A-Za-z_][A-Za-z0-9_]*)="-?\d{1,20}"$/;

/** What bash prints when nobody meddles. Everything else is passed over: the text is only as good as the shell that printed it. */
export function parseDeclarations(printed: string): readonly Declaration[] {
  return readStatements(printed).filter(({ text }) => declaration.test(text) || number.test(text));
}

/** All of it, also what must not be read back: only to be compared. */
export function readStatements(printed: string): readonly Declaration[] {
  const found: Declaration[] = [];
  let at = 0;
  while (at < printed.length) {
    const end = endOfStatement(printed, at);
    const text = printed.slice(at, end);
    const name = /^declare -\S+ ([A-Za-z_][A-Za-z0-9_]*)/.exec(text)?.[1];
    if (name !== undefined) found.push({ name, text });
    at = end + 1;
  }
  return found;
}

/** A line goes on inside quotes: "…" with \ before some characters, or $'…'. */
function endOfStatement(printed: string, start: number): number {
  let quote = '';
  for (let at = start; at < printed.length; at += 1) {
    const character = printed[at];
    if (character === '\\' && quote !== "'") at += 1;
    else if (quote !== '') {
      if (character === (quote === '$' ? "'" : quote)) quote = '';
    } else if (character === '\n') return at;
    else if (character === '"') quote = '"';
    else if (character === "'") quote = printed[at - 1] === '$' ? '$' : "'";
  }
  return printed.length;
}
