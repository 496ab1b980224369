/** Names: of files, of tools outside their homes, and words that must occur nowhere. */
import { folderOf } from './check-imports.ts';
import { isToolFile } from './check-shape.ts';
import { isNode, type Problem, type SourceFile, type SyntaxNode, walk } from './source-files.ts';

const bannedStem = /^(utils?|helpers?|common|misc|types?|constants?|manager|index)$|-(utils?|helpers?|manager)$/;
const kebabCase = /^_?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/;

/** A tool's name where it does not belong, with the reason: `file` may write `names`. */
export type NameExceptions = readonly {
  readonly file: string;
  readonly names: readonly string[];
  readonly reason: string;
}[];

export function checkNames(files: readonly SourceFile[], exceptions: NameExceptions): readonly Problem[] {
  const tools = files
    .filter((file) => isToolFile(file.name))
    .map((file) => ({ file: file.name, names: namesOf(file) }));
  return [
    ...files.flatMap((file) => [...checkFileName(file), ...checkForbiddenWords(file)]),
    ...files.flatMap((file) => checkToolNames(file, tools, exceptions)),
    ...findIdleExceptions(files, exceptions),
  ];
}

function checkFileName(file: SourceFile): Problem[] {
  if (file.program === undefined) return [];
  const base = file.name.split('/').at(-1) ?? '';
  const stem = base.split('.')[0] ?? '';
  if (bannedStem.test(stem))
    return [{ file: file.name, line: 0, text: `"${stem}" names no job: name the file for what it does` }];
  return kebabCase.test(base) ? [] : [{ file: file.name, line: 0, text: 'file names are kebab-case' }];
}

/** Hosts that an installation must take from the machine's own configuration, and paths that exist on one machine only. */
const forbiddenWords = [
  ['registry', 'npmjs', 'org'],
  ['registry', 'yarnpkg', 'com'],
  ['npm', 'pkg', 'github', 'com'],
  ['pypi', 'org'],
  ['files', 'pythonhosted', 'org'],
  ['deb', 'debian', 'org'],
  ['static', 'crates', 'io'],
  ['proxy', 'golang', 'org'],
].map((parts) => parts.join('.'));
const workplacePath = new RegExp(`(?<![\\w.~}-])/${'work'}/(?:main|shared)\\b|/tmp/${'brief'}\\b`);

function checkForbiddenWords(file: SourceFile): Problem[] {
  return file.text.split('\n').flatMap((line, index) => {
    const word = forbiddenWords.find((each) => line.includes(each)) ?? workplacePath.exec(line)?.[0];
    return word === undefined
      ? []
      : [{ file: file.name, line: index + 1, text: `"${word}" may stand nowhere in the project` }];
  });
}

/** A tool's wire name and its aliases. */
export function namesOf(file: SourceFile): readonly string[] {
  const names = [(file.name.split('/').at(-1) ?? '').replace(/\.ts$/, '').replaceAll('-', '_')];
  walk(file.program as SyntaxNode, (node) => {
    if (node.type !== 'Property' || !isNode(node['key']) || node['key']['name'] !== 'aliases') return;
    if (!isNode(node['value']) || node['value'].type !== 'ArrayExpression') return;
    for (const element of node['value']['elements'] as readonly SyntaxNode[]) names.push(String(element['value']));
  });
  return names;
}

type ToolNames = readonly { readonly file: string; readonly names: readonly string[] }[];

function checkToolNames(file: SourceFile, tools: ToolNames, exceptions: NameExceptions): Problem[] {
  if (folderOf(file.name) === undefined || file.isTest || file.program === undefined) return [];
  const mayWrite = exceptions.find((each) => each.file === file.name)?.names ?? [];
  const foreign = tools.filter((tool) => tool.file !== file.name).flatMap((tool) => tool.names);
  const own = new Set([...mayWrite, ...(tools.find((tool) => tool.file === file.name)?.names ?? [])]);
  const problems: Problem[] = [];
  walk(file.program, (node, parents) => {
    const text = textOf(node);
    if (text === undefined) return;
    const name = foreign.find((each) => !own.has(each) && isMisused(each, text, file, parents));
    if (name === undefined) return;
    problems.push({
      file: file.name,
      line: file.lineOf(node.start),
      text: `${name} is a tool's name: nothing outside its file may know it`,
    });
  });
  return problems;
}

function textOf(node: SyntaxNode): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateElement') return undefined;
  return String((node['value'] as { readonly cooked?: unknown }).cooked ?? '');
}

/** A name with `_` counts anywhere, but tools may name others in their prose; a plain word only where a call's name is compared with it. */
function isMisused(name: string, text: string, file: SourceFile, parents: readonly SyntaxNode[]): boolean {
  if (!name.includes('_')) return text === name && isComparedWithCall(parents, file);
  if (file.name.startsWith('src/tools/') && text !== name) return false;
  return new RegExp(`(?<![\\w])${name}(?![\\w])`).test(text);
}

function isComparedWithCall(parents: readonly SyntaxNode[], file: SourceFile): boolean {
  const parent = parents.at(-1);
  const comparison = parent?.type === 'SwitchCase' ? parents.at(-2) : parent;
  if (comparison === undefined || !/^(BinaryExpression|SwitchStatement)$/.test(comparison.type)) return false;
  const sides = [comparison['left'], comparison['right'], comparison['discriminant']].filter(isNode);
  return sides.some((side) =>
    /(^|\.)(tool|toolName|call\.name|tool\.name)$/.test(file.text.slice(side.start, side.end)),
  );
}

function findIdleExceptions(files: readonly SourceFile[], exceptions: NameExceptions): Problem[] {
  return exceptions.flatMap(({ file: name, names, reason }) => {
    const file = files.find((each) => each.name === name);
    const idle = names.filter((each) => !file?.text.includes(each));
    if (idle.length > 0) return [{ file: name, line: 0, text: `its exception for ${idle.join(', ')} is not needed` }];
    return reason.trim() === '' ? [{ file: name, line: 0, text: 'its exception needs a reason' }] : [];
  });
}
