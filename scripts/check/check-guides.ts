/** Every path and every `function()` that our hand-written pages name exists. */
import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import type { Problem, SourceFile } from './source-files.ts';

const handWritten = /^(README|AGENTS|ARCHITECTURE|CONTRIBUTING)\.md$|^docs\/(guides|decisions)\//;
const maxRulesLines = 80;

export function checkGuides(files: readonly SourceFile[], root: string): readonly Problem[] {
  const code = files.filter((file) => file.program !== undefined || /\.(mjs|sh)$/.test(file.name));
  const problems: Problem[] = [];
  for (const file of files.filter(({ name }) => handWritten.test(name))) {
    const lines = file.text.split('\n');
    if (file.name === 'AGENTS.md' && lines.length - 1 > maxRulesLines) {
      problems.push({ file: file.name, line: 0, text: `${lines.length - 1} lines, at most ${maxRulesLines}` });
    }
    for (const [index, line] of lines.entries()) {
      for (const text of judgeLine(line, root, code)) problems.push({ file: file.name, line: index + 1, text });
    }
  }
  return problems;
}

function judgeLine(line: string, root: string, code: readonly SourceFile[]): readonly string[] {
  const found: string[] = [];
  for (const [, quoted = ''] of line.matchAll(/`([^`]+)`/g)) {
    const name = /^([A-Za-z_$][\w$]*)\([^)]*\)$/.exec(quoted)?.[1];
    if (name !== undefined && !code.some((file) => new RegExp(`\\b${name}\\b`).test(file.text))) {
      found.push(`${quoted} is nowhere in the code`);
    }
    if (isPath(quoted) && !exists(root, quoted)) found.push(`${quoted} does not exist`);
  }
  for (const [, target = ''] of line.matchAll(/\]\((?!\w+:|#)([^)#\s]+)[^)]*\)/g)) {
    if (!exists(root, target)) found.push(`the link to ${target} leads nowhere`);
  }
  return found;
}

const topLevel = /^(src|test|scripts|docs|bench|bin|examples|\.ci)\/|^[\w.-]+\.(md|json|config\.ts)$/;

/** Patterns with a placeholder (`<name>`, `…`) and files of the user's are no paths of ours. */
function isPath(text: string): boolean {
  return topLevel.test(text) && !/[<>…\s]/.test(text) && text !== 'settings.json' && text !== 'enabled.json';
}

function exists(root: string, name: string): boolean {
  const file = path.join(root, name);
  return name.includes('*') ? globSync(name, { cwd: root }).length > 0 : existsSync(file);
}
