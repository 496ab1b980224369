/** Every import in a file, whatever its form. */
import path from 'node:path';
import { isNode, type SourceFile, type SyntaxNode, walk } from './source-files.ts';

export type Import = {
  readonly specifier: string;
  readonly line: number;
  /** `type`: gone at run time. `static`: loaded with the file. `dynamic`: loaded when the line is reached. */
  readonly kind: 'type' | 'static' | 'dynamic';
};

export function findImports(file: SourceFile): readonly Import[] {
  const found: Import[] = [];
  if (file.program === undefined) return found;
  walk(file.program, (node) => {
    const kind = kindOf(node);
    const source = node['source'];
    if (kind === undefined || !isNode(source) || typeof source['value'] !== 'string') return;
    found.push({ specifier: source['value'], line: file.lineOf(node.start), kind });
  });
  return found;
}

function kindOf(node: SyntaxNode): Import['kind'] | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return node['importKind'] === 'type' ? 'type' : 'static';
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return node['exportKind'] === 'type' ? 'type' : 'static';
    case 'TSImportType':
      return 'type';
    case 'ImportExpression':
      return 'dynamic';
    default:
      return undefined;
  }
}

/** The file that a relative specifier names, relative to the project. */
export function resolveRelative(fromName: string, specifier: string): string {
  return path.posix.join(path.posix.dirname(fromName), specifier);
}

/** `@scope/name/sub` → `@scope/name`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
