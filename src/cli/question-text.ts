/** A permission question as plain text: what, why, the exact bytes, where. */
import { countInvisible, escapeInvisible } from '../base/escape-invisible.ts';
import type { ResolvedAccess } from '../contract/access.ts';
import type { Question } from '../contract/permission.ts';
import { viewText } from './view-text.ts';

export function questionText(question: Question): string {
  const danger = question.isDangerous ? '  (marked as dangerous)' : '';
  const lines = [
    `${question.title}?${danger}`,
    `  ${escapeInvisible(question.summary, 'nothing')}`,
    `  Why it asks: ${escapeInvisible(question.reason)}`,
  ];
  if (question.preview !== undefined) lines.push(viewText(question.preview));
  lines.push(...question.accesses.flatMap(accessLines));
  if (!question.accesses.some((access) => access.kind === 'command'))
    lines.push(`  Arguments: ${escapeInvisible(question.input, 'nothing')}`);
  lines.push(`  Tool: ${question.tool}`);
  return lines.join('\n');
}

function accessLines(access: ResolvedAccess): readonly string[] {
  switch (access.kind) {
    case 'path':
      return [
        `  Path (${access.mode}): ${escapeInvisible(access.path, 'nothing')}`,
        ...(access.realPath === access.path ? [] : [`  Really: ${escapeInvisible(access.realPath, 'nothing')}`]),
      ];
    case 'command':
      return [
        ...commandLines(access.command),
        `  In: ${escapeInvisible(access.cwd, 'nothing')} (${access.isSandboxed ? 'in the sandbox' : 'OUTSIDE any sandbox'})`,
      ];
    case 'url':
      return [`  Address: ${access.method} ${escapeInvisible(access.url, 'nothing')}`];
    case 'app':
      return [`  Program: ${escapeInvisible(access.name, 'nothing')}`];
    case 'message':
      return [`  To: ${escapeInvisible(access.to, 'nothing')}`];
    case 'mcp':
      return [
        `  MCP server: ${escapeInvisible(access.server, 'nothing')}, tool ${escapeInvisible(access.tool, 'nothing')}`,
      ];
    case 'persist':
      return [`  Keeps: ${access.what}`];
    case 'none':
      return [];
  }
}

/** The whole command, never cut; hidden characters are shown and counted. */
function commandLines(command: string): readonly string[] {
  const hidden = countInvisible(command);
  const facts = [
    `${command.length} characters`,
    ...(hidden > 0 ? [`${hidden} hidden, shown as \\x.. or \\u....`] : []),
  ];
  return [
    `  Command (${facts.join(', ')}):`,
    ...escapeInvisible(command)
      .split('\n')
      .map((line) => `    ${line}`),
  ];
}
