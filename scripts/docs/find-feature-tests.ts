/** Which tests carry which feature's id in their titles. */
import { isNode, type SourceFile, type SyntaxNode, walk } from '../check/source-files.ts';

/** Feature id → files with a test whose title begins with it: `[E07] …` or `[E07] [E08] …`. */
export function findFeatureTests(files: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of files) {
    if (!file.isTest || file.program === undefined) continue;
    for (const id of new Set(idsIn(file.program))) found.set(id, [...(found.get(id) ?? []), file.name]);
  }
  return found;
}

function idsIn(program: SyntaxNode): string[] {
  const ids: string[] = [];
  walk(program, (node) => {
    if (node.type !== 'CallExpression' || !isTestCall(node['callee'])) return;
    const [title] = node['arguments'] as readonly SyntaxNode[];
    const [, brackets = ''] = /^((?:\[[^\]]*\]\s*)+)/.exec(titleText(title)) ?? [];
    ids.push(...(brackets.match(/\b[KSNEL]\d{2}\b/g) ?? []));
  });
  return ids;
}

/** test('…'), describe('…'), test.each(rows)('…'), test.runIf(x)('…'). */
function isTestCall(callee: unknown): boolean {
  if (!isNode(callee)) return false;
  if (callee.type === 'Identifier') return /^(test|it|describe)$/.test(String(callee['name']));
  return isTestCall(callee.type === 'MemberExpression' ? callee['object'] : callee['callee']);
}

function titleText(node: SyntaxNode | undefined): string {
  if (node?.type === 'Literal') return String(node['value']);
  if (node?.type !== 'TemplateLiteral') return '';
  const [first] = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
  return first?.value.cooked ?? '';
}
