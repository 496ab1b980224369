/** A permission question as an MCP elicitation form, and the form's answer as ours. */
import { z } from 'zod';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import type { ResolvedAccess } from '../../contract/access.ts';
import type { View } from '../../contract/output.ts';
import type { Answer, Question } from '../../contract/permission.ts';
import { countInvisible, escapeInvisible } from '../../base/escape-invisible.ts';
import { truncateMiddle } from '../../base/truncate-middle.ts';

const allowOnce = 'allow once';
const allowForConnection = 'allow for this connection';
const deny = 'deny';

/** More than a person reads in a dialogue; what does not fit cannot have been seen, so it cannot be approved there. */
const maxInputChars = 20_000;
/** A preview only repeats what the arguments say, so of it a part is enough. */
const maxPreviewChars = 6_000;

export function questionForm(question: Question): ElicitRequestFormParams {
  return {
    mode: 'form',
    message: messageOf(question),
    requestedSchema: {
      type: 'object',
      properties: {
        answer: {
          type: 'string',
          title: 'Allow it?',
          description: question.isDangerous ? 'Marked as dangerous.' : 'Nothing is done until you answer.',
          enum: question.scopes.includes('conversation') ? [allowOnce, allowForConnection, deny] : [allowOnce, deny],
        },
      },
      required: ['answer'],
    },
  };
}

/**
 * Why an answer that comes through an MCP client may not allow this, whatever it says: between the question and the person
 * stands a program that we do not know. Undefined when it may. The sentence fits behind "Not done: ".
 */
export function refusal(question: Question): string | undefined {
  const elsewhere = 'an MCP client cannot allow that; do it in a Handrail terminal';
  for (const access of question.accesses) {
    if (access.kind === 'command' && !access.isSandboxed)
      return `the command would run outside the sandbox, and ${elsewhere}`;
    if (access.kind === 'path' && access.mode !== 'read' && (access.zone === 'trusted' || access.zone === 'state')) {
      return `${access.realPath} is obeyed or run by this machine outside the sandbox, and ${elsewhere}`;
    }
    if (access.kind === 'persist' && (access.what === 'user-tool' || access.what === 'profile')) {
      return `it would change the settings (${access.what}), and ${elsewhere}`;
    }
  }
  if (question.input.length > maxInputChars) {
    return `the arguments have ${question.input.length} characters, too many to be shown whole in an MCP client's question; make the call smaller, or do it in a Handrail terminal`;
  }
  return undefined;
}

const accepted = z.object({ action: z.literal('accept'), content: z.object({ answer: z.string() }) });

/** Only the exact words that the form offered allow anything. The value is foreign: it may be of any shape. */
export function readAnswer(question: Question, response: unknown): Answer {
  const parsed = accepted.safeParse(response);
  if (!parsed.success) return { verdict: 'deny', reason: 'the question was declined or dismissed in the MCP client' };
  const { answer } = parsed.data.content;
  if (answer === allowOnce) return { verdict: 'allow', scope: 'once' };
  if (answer === allowForConnection && question.scopes.includes('conversation'))
    return { verdict: 'allow', scope: 'conversation' };
  if (answer === deny) return { verdict: 'deny', reason: 'the person at the MCP client said no' };
  return {
    verdict: 'deny',
    reason: `the answer "${escapeInvisible(answer.slice(0, 60), 'nothing')}" was not one of those offered`,
  };
}

function messageOf(question: Question): string {
  const hidden = countInvisible(question.input);
  const lines = [
    `${line(question.title)} (${line(question.tool)})${question.isDangerous ? ' - MARKED AS DANGEROUS' : ''}`,
    line(question.summary),
    `Why it asks: ${line(question.reason)}`,
    ...question.accesses.flatMap(accessLines),
    `Arguments${hidden > 0 ? ` (${hidden} hidden characters, shown as \\x.. or \\u....)` : ''}:`,
    escapeInvisible(question.input),
  ];
  if (question.preview) lines.push('What it would do:', previewText(question.preview));
  return lines.join('\n');
}

function accessLines(access: ResolvedAccess): readonly string[] {
  switch (access.kind) {
    case 'path':
      return [
        `Path (${access.mode}): ${line(access.realPath)}${access.realPath === access.path ? '' : ` (given as ${line(access.path)})`}`,
      ];
    case 'command':
      return [`Command, in ${line(access.cwd)}:`, escapeInvisible(access.command)];
    case 'url':
      return [`Address: ${line(access.method)} ${line(access.url)}`];
    case 'app':
      return [`Program: ${line(access.name)}`];
    case 'message':
      return [`Message to: ${line(access.to)}`];
    case 'mcp':
      return [`MCP server ${line(access.server)}, tool ${line(access.tool)}`];
    case 'persist':
      return [`It keeps: ${access.what}`];
    case 'none':
      return [];
  }
}

function previewText(view: View): string {
  const marker = (cut: number) => `\n[… ${cut} characters of the preview are not shown …]\n`;
  return truncateMiddle(escapeInvisible(wholePreview(view)), maxPreviewChars, marker);
}

const diffSigns = { context: ' ', added: '+', removed: '-', hunk: '' } as const;

function wholePreview(view: View): string {
  switch (view.kind) {
    case 'diff':
      return [
        `${line(view.path)}: ${view.added} lines added, ${view.removed} removed`,
        ...view.lines.map((each) => `${diffSigns[each.kind]}${each.content}`),
      ].join('\n');
    case 'text':
      return view.text;
    case 'files':
      return view.files.map((file) => file.path).join('\n');
    case 'table':
      return [view.columns, ...view.rows].map((row) => row.join(' | ')).join('\n');
    default:
      return JSON.stringify(view);
  }
}

/** Text that must stay one line, so that no part of a call can pass for a line of ours. */
function line(text: string): string {
  return escapeInvisible(text, 'nothing');
}
