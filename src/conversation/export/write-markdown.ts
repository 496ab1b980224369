/** A conversation as Markdown: what was said and answered in full, each call folded away with its input, its output and why it was allowed. */
import { escapeInvisible } from '../../base/escape-invisible.ts';
import type { JournalEvent } from '../../contract/event.ts';
import type { Conversation } from '../../contract/storage.ts';

export type MarkdownWriter = {
  head(conversation: Conversation): string;
  /** Empty for what is no text of its own. */
  write(event: JournalEvent): string;
};

type ToolStart = Extract<JournalEvent, { type: 'tool-start' }>;
type ToolEnd = Extract<JournalEvent, { type: 'tool-end' }>;

/** Of a result: the whole stands in the JSON. */
const mostResult = 20_000;

export function createMarkdownWriter(): MarkdownWriter {
  const started = new Map<string, ToolStart>();
  return {
    head({ title, workspace, createdAt, id }) {
      const name = title === '' ? 'Untitled chat' : plain(title);
      return `# ${name}\n\nIn \`${plain(workspace).replaceAll('`', "'")}\`, since ${createdAt}, conversation ${id}.\n`;
    },
    write(event) {
      switch (event.type) {
        case 'turn-start':
          return `\n## You\n\n${event.message.parts.map(partText).join('\n\n').trim()}\n`;
        case 'model-end': {
          const texts = event.message.parts.flatMap((part) => (part.type === 'text' ? [part.text.trim()] : []));
          const text = texts.filter((each) => each !== '').join('\n\n');
          return text === '' ? '' : `\n## ${plain(event.model)}\n\n${text}\n`;
        }
        case 'tool-start':
          started.set(event.callId, event);
          return '';
        case 'tool-end': {
          const start = started.get(event.callId);
          started.delete(event.callId);
          return toolText(start, event);
        }
        case 'note':
          return `\n> ${plain(event.text)}\n`;
        case 'compaction':
          return `\n> The older part was summarised for the model from here on.\n`;
        case 'turn-end':
          return event.error === undefined ? '' : `\n> It failed: ${plain(event.error.message)}\n`;
        default:
          return '';
      }
    },
  };
}

function partText(part: Extract<JournalEvent, { type: 'turn-start' }>['message']['parts'][number]): string {
  return part.type === 'text' ? part.text : `*(an image, ${plain(part.mediaType)})*`;
}

function toolText(start: ToolStart | undefined, { tool, outcome, decision, durationMs }: ToolEnd): string {
  const name = start === undefined ? tool : `${start.title}: ${start.summary}`;
  const state = outcome.ok ? 'done' : `failed (${outcome.error?.code ?? 'failed'})`;
  const verdict = decision.verdict === 'allow' ? 'Allowed' : 'Not allowed';
  return [
    '',
    `<details><summary>${html(name)} (${state}, ${durationMs} ms)</summary>`,
    '',
    ...(start === undefined || start.input === '' ? [] : [fenced(start.input, 'json'), '']),
    fenced(resultText(outcome), ''),
    '',
    `${verdict}: ${html(decision.reason)}`,
    '',
    '</details>',
    '',
  ].join('\n');
}

function resultText({ text, artifact }: ToolEnd['outcome']): string {
  const shown = text.length <= mostResult ? text : `${text.slice(0, mostResult)}\n[… ${text.length} characters]`;
  return artifact === undefined ? shown : `${shown}\n[The whole is kept as ${artifact.id}]`;
}

/** No text can close its own fence: https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${escapeInvisible(text)}\n${fence}`;
}

/** One line, with its hidden characters shown. */
const plain = (text: string): string => escapeInvisible(text.replaceAll(/\s+/g, ' ').trim(), 'nothing');

const html = (text: string): string =>
  plain(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
