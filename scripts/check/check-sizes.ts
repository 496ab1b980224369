/** How long a file and a function may be. */
import { isNode, type Problem, type SourceFile, type SyntaxNode, walk } from './source-files.ts';

const maxLines = { source: 300, test: 400, main: 150, function: 60 };

/** A file that may be longer, with the reason. `lines` is its length today: it may fall and then must be lowered here, never rise. */
export type SizeExceptions = Readonly<Record<string, { readonly lines: number; readonly reason: string }>>;

export function checkSizes(files: readonly SourceFile[], exceptions: SizeExceptions): readonly Problem[] {
  const problems: Problem[] = [];
  for (const file of files) {
    if (file.program === undefined) continue;
    const lines = countLines(file.text);
    const text = judgeLength(lines, limitOf(file), exceptions[file.name]);
    if (text !== undefined) problems.push({ file: file.name, line: 0, text });
    if (!file.isTest) problems.push(...findLongFunctions(file));
  }
  for (const name of Object.keys(exceptions)) {
    if (!files.some((file) => file.name === name))
      problems.push({ file: name, line: 0, text: 'is an exception that is gone' });
  }
  return problems;
}

export function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function limitOf(file: SourceFile): number {
  if (file.name === 'src/main.ts') return maxLines.main;
  return file.isTest ? maxLines.test : maxLines.source;
}

function judgeLength(lines: number, limit: number, exception: SizeExceptions[string] | undefined): string | undefined {
  if (exception === undefined) return lines > limit ? `${lines} lines, at most ${limit}` : undefined;
  if (lines > exception.lines) return `${lines} lines; its exception stands at ${exception.lines} and may only shrink`;
  if (lines < exception.lines) return `shrank to ${lines} lines: lower its exception (or remove it at ${limit})`;
  return exception.reason.trim() === '' ? 'its exception needs a reason' : undefined;
}

function findLongFunctions(file: SourceFile): Problem[] {
  const problems: Problem[] = [];
  walk(file.program as SyntaxNode, (node, parents) => {
    if (!isFunction(node)) return;
    const lines = ownLines(file, node, parents.at(-1));
    if (lines > maxLines.function) {
      problems.push({
        file: file.name,
        line: file.lineOf(node.start),
        text: `a function of ${lines} lines, at most ${maxLines.function}`,
      });
    }
  });
  return problems;
}

const isFunction = (node: SyntaxNode): boolean =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);

/** A maker (`createX`) is as long as what it says itself: the functions that it returns count on their own. */
function ownLines(file: SourceFile, node: SyntaxNode, parent: SyntaxNode | undefined): number {
  const lines = linesOf(file, node);
  if (!/^create[A-Z]/.test(nameOf(node) ?? nameOf(parent) ?? '')) return lines;
  let inner = 0;
  walk(node, (child, parents) => {
    const isNested = child !== node && isFunction(child);
    if (isNested && !parents.slice(1).some(isFunction)) inner += linesOf(file, child);
  });
  return lines - inner;
}

const linesOf = (file: SourceFile, node: SyntaxNode): number => file.lineOf(node.end) - file.lineOf(node.start) + 1;

function nameOf(node: SyntaxNode | undefined): string | undefined {
  return isNode(node?.['id']) ? String(node['id']['name']) : undefined;
}
