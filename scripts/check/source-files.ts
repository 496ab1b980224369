/** The project's own files, read and parsed once for all checks. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseSync } from 'rolldown/utils';

/** A place where a rule is broken. `line` is 0 when the file as a whole is meant. */
export type Problem = { readonly file: string; readonly line: number; readonly text: string };

/** A node of the syntax tree (ESTree with TypeScript), read by its shape. */
export type SyntaxNode = { readonly type: string; readonly start: number; readonly end: number } & {
  readonly [key: string]: unknown;
};

export type SourceFile = {
  /** Relative to the project, with `/`. */
  readonly name: string;
  readonly text: string;
  readonly isTest: boolean;
  /** Undefined for what is no TypeScript. */
  readonly program: SyntaxNode | undefined;
  lineOf(offset: number): number;
};

const skippedFolders = new Set(['node_modules', 'dist', '.git', '.cache', 'fixtures']);
const textFile = /\.(ts|tsx|mjs|json|md|sh|html|css|yaml|yml|sql)$|(^|\/)(handrail|run|LICENSE|\.npmrc|\.gitignore)$/;

/** Every text file below `root`, in a fixed order. */
export async function readSourceFiles(root: string): Promise<readonly SourceFile[]> {
  const names = (await listFiles(root, '')).filter((name) => textFile.test(name)).sort();
  return Promise.all(names.map(async (name) => createSourceFile(name, await readFile(path.join(root, name), 'utf8'))));
}

async function listFiles(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory() && !skippedFolders.has(entry.name)) found.push(...(await listFiles(root, name)));
    else if (entry.isFile() && name !== 'package-lock.json') found.push(name);
  }
  return found;
}

function createSourceFile(name: string, text: string): SourceFile {
  const isTypeScript = /\.tsx?$/.test(name);
  return {
    name,
    text,
    isTest: /\.test\.tsx?$/.test(name),
    program: isTypeScript ? (parseSync(name, text).program as unknown as SyntaxNode) : undefined,
    lineOf: (offset) => text.slice(0, offset).split('\n').length,
  };
}

/** Calls `visit` for the node and all nodes below it, outer ones first; `parents` lists the outer ones, nearest last. */
export function walk(
  node: SyntaxNode,
  visit: (node: SyntaxNode, parents: readonly SyntaxNode[]) => void,
  parents: readonly SyntaxNode[] = [],
): void {
  visit(node, parents);
  const inner = [...parents, node];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, inner);
  }
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';
}
