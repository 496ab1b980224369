/** The shape of a module: no barrel, no work and no state when it is imported, one default export per tool. */
import { folderOf } from './check-imports.ts';
import { isNode, type Problem, type SourceFile, type SyntaxNode, walk } from './source-files.ts';

/** A file that is started as a program of its own may do what a program does. */
const isProgram = (name: string): boolean =>
  name === 'src/main.ts' || name === 'src/web/start-page.tsx' || /\.process\.tsx?$/.test(name);

export const isToolFile = (name: string): boolean => /^src\/tools\/[^_/][^/]*\/[^_/][^/]*(?<!\.test)\.ts$/.test(name);

export function checkShape(files: readonly SourceFile[]): readonly Problem[] {
  const problems: Problem[] = [];
  for (const file of files) {
    if (folderOf(file.name) === undefined || file.isTest || file.program === undefined) continue;
    const add = (node: SyntaxNode, text: string): void => {
      problems.push({ file: file.name, line: file.lineOf(node.start), text });
    };
    if (!/^(#!.*\n)?\/\*\*/.test(file.text))
      add(file.program, 'the first line is a doc comment that says what the file owns');
    for (const statement of file.program['body'] as readonly SyntaxNode[]) {
      const text = judgeStatement(file.name, statement);
      if (text !== undefined) add(statement, text);
    }
    if (isProgram(file.name)) continue;
    // Bundling moves code: only an entry lies where its source says.
    walk(file.program, (node) => {
      if (node.type === 'MetaProperty' && isNode(node['meta']) && node['meta']['name'] === 'import') {
        add(node, 'import.meta is for main.ts; take the path as an argument');
      }
    });
  }
  return problems;
}

function judgeStatement(name: string, statement: SyntaxNode): string | undefined {
  const declaration = isNode(statement['declaration']) ? statement['declaration'] : statement;
  if (statement.type === 'ExportDefaultDeclaration') {
    return isToolFile(name) ? undefined : 'only a tool has a default export';
  }
  if (isProgram(name)) return undefined;
  if (statement.type.startsWith('Export') && isNode(statement['source']))
    return 'no re-exports: import from the file that owns it';
  if (declaration.type === 'VariableDeclaration') return judgeVariable(declaration);
  return /^(Expression|If|For|While|Try|Switch|Block)/.test(declaration.type)
    ? 'no work when a module is imported'
    : undefined;
}

function judgeVariable(declaration: SyntaxNode): string | undefined {
  if (declaration['kind'] !== 'const') return 'no module-level variable: state lives in what a maker returns';
  for (const { init } of declaration['declarations'] as readonly { readonly init: unknown }[]) {
    if (!isNode(init)) continue;
    if (init.type === 'AwaitExpression') return 'no work when a module is imported';
    if (isEmptyContainer(init)) return 'an empty container at module level is state: it lives in what a maker returns';
  }
  return undefined;
}

function isEmptyContainer(init: SyntaxNode): boolean {
  if (init.type !== 'NewExpression' || !isNode(init['callee'])) return false;
  return (
    /^(Weak)?(Map|Set)$/.test(String(init['callee']['name'])) && (init['arguments'] as readonly unknown[]).length === 0
  );
}
