/** The fold from the journal's events to the screen. Pure: the same events always give the same screen. */
import type { JournalEvent } from '../../contract/event.ts';
import type { AssistantMessage, UserMessage } from '../../contract/message.ts';
import { addMarkdown, emptyMarkdown, endMarkdown, type Block } from '../show/markdown-blocks.ts';
import { foldCall, isCallEvent, printEndedCalls } from './fold-call.ts';
import type { Screen, ScreenItem } from './screen.ts';

export const emptyScreen: Screen = {
  items: [],
  turn: undefined,
  markdown: emptyMarkdown,
  hasText: false,
  hasStreamed: false,
  thinkingSinceMs: undefined,
  thought: '',
  calls: [],
  contextTokens: 0,
};

export function foldScreen(screen: Screen, event: JournalEvent): Screen {
  if (isCallEvent(event)) {
    const before = event.type === 'tool-start' ? endText(endThought(screen, timeOf(event))) : screen;
    return foldCall(before, event, timeOf(event));
  }
  switch (event.type) {
    case 'turn-start': {
      const started = addItems(printEndedCalls(endText(screen), true), { kind: 'user', text: userText(event.message) });
      const turn = { turnId: event.turnId, startedAtMs: timeOf(event), model: undefined, calls: 0 };
      return { ...started, turn, hasText: false };
    }
    case 'model-start':
      return {
        ...screen,
        turn: screen.turn === undefined ? undefined : { ...screen.turn, model: event.model },
        hasText: false,
        hasStreamed: false,
      };
    case 'reasoning-delta':
      return {
        ...screen,
        thinkingSinceMs: screen.thinkingSinceMs ?? timeOf(event),
        thought: tail(screen.thought + event.text),
      };
    case 'text-delta':
      return addText({ ...endThought(screen, timeOf(event)), hasStreamed: true }, event.text);
    case 'model-retry': {
      const hadText = screen.hasText || screen.markdown.partial !== '';
      const { message, attempt, waitMs } = event;
      return addItems(forgetAnswer(screen), { kind: 'retry', message, attempt, waitMs, hadText });
    }
    case 'model-fallback':
      return addItems(forgetAnswer(screen), { kind: 'note', text: `${event.message} Asking ${event.to} instead.` });
    case 'compaction':
      return addItems(endText(screen), {
        kind: 'note',
        text: 'The older part of the conversation was summarised for the model. Everything stays on screen.',
      });
    case 'compaction-failed':
    case 'trim':
      return addItems(endText(screen), { kind: 'note', text: event.text });
    case 'model-end': {
      const whole = screen.hasStreamed ? '' : answerText(event.message);
      const ended = endText(addText(endThought(screen, timeOf(event)), whole));
      return { ...ended, contextTokens: event.usage.inputTokens + event.usage.outputTokens };
    }
    case 'note':
      return addItems(endText(screen), { kind: 'note', text: event.text });
    case 'turn-end':
      return endTurn(screen, event);
  }
}

/** What was streamed so far is void: another answer follows. */
function forgetAnswer(screen: Screen): Screen {
  return { ...endText({ ...screen, thinkingSinceMs: undefined, thought: '' }), hasText: false, hasStreamed: false };
}

/** What the chat itself has to say, between events. */
export function addItems(screen: Screen, ...items: readonly ScreenItem[]): Screen {
  return { ...screen, items: [...screen.items, ...items] };
}

function addText(screen: Screen, text: string): Screen {
  if (text === '') return screen;
  const { state, blocks } = addMarkdown(screen.markdown, text);
  return printBlocks({ ...screen, markdown: state }, blocks);
}

function endText(screen: Screen): Screen {
  if (screen.markdown === emptyMarkdown) return screen;
  return printBlocks({ ...screen, markdown: emptyMarkdown }, endMarkdown(screen.markdown));
}

function printBlocks(screen: Screen, blocks: readonly Block[]): Screen {
  if (blocks.length === 0) return screen;
  const items = blocks.map((block, at) => ({ kind: 'block', block, isFirst: at === 0 && !screen.hasText }) as const);
  return { ...addItems(screen, ...items), hasText: true };
}

function endThought(screen: Screen, atMs: number): Screen {
  if (screen.thinkingSinceMs === undefined) return screen;
  const item = { kind: 'thought', durationMs: atMs - screen.thinkingSinceMs } as const;
  return { ...addItems(screen, item), thinkingSinceMs: undefined, thought: '' };
}

function endTurn(screen: Screen, event: Extract<JournalEvent, { type: 'turn-end' }>): Screen {
  const ended = printEndedCalls(endText(endThought(screen, timeOf(event))), true);
  const { usage, reason, error } = event;
  const item = {
    kind: 'turn-end',
    reason,
    error,
    durationMs: timeOf(event) - (screen.turn?.startedAtMs ?? timeOf(event)),
    tokens: usage.inputTokens + usage.outputTokens,
    costUsd: event.costUsd,
    calls: screen.turn?.calls ?? 0,
  } as const;
  return { ...addItems(ended, item), turn: undefined, hasText: false };
}

const timeOf = (event: JournalEvent): number => Date.parse(event.at);

/** Only the end of a thought is ever on screen. */
const tail = (text: string): string => (text.length > 2000 ? text.slice(-1000) : text);

function userText(message: UserMessage): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : `[image ${part.mediaType}]`)).join('\n');
}

function answerText(message: AssistantMessage): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
