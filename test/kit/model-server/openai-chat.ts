/** Chat Completions on the wire. https://platform.openai.com/docs/api-reference/chat-streaming */
import { checkOpenAiChatRequest } from '../request-shapes/openai-chat.ts';
import { openAiError } from './openai-errors.ts';
import { argumentsText, chunksOf, usageOf } from './turn.ts';
import type { Turn, WireDialect } from './turn.ts';

export const openAiChat: WireDialect = {
  basePath: '/v1',
  accepts: (method, path) => method === 'POST' && path === '/v1/chat/completions',
  check: checkOpenAiChatRequest,
  error: openAiError,
  frames,
  errorFrame: (name, message) => `data: ${JSON.stringify(openAiError(name, message).body)}\n\n`,
};

function frames(turn: Turn, { model, index }: { model: string; index: number }): string[] {
  const base = { id: `chatcmpl-${index}`, object: 'chat.completion.chunk', created: 1_760_000_000, model };
  const chunk = (delta: unknown, finishReason: string | null = null) =>
    frame({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }], usage: null });
  const out = [chunk({ role: 'assistant', content: '', refusal: null })];
  for (const text of chunksOf(turn.reasoning ?? '', turn.chunkChars)) out.push(chunk({ reasoning_content: text }));
  for (const text of chunksOf(turn.text ?? '', turn.chunkChars)) out.push(chunk({ content: text }));
  for (const [at, call] of (turn.calls ?? []).entries()) {
    const id = call.id ?? `call_${index}_${at}`;
    out.push(
      chunk({ tool_calls: [{ index: at, id, type: 'function', function: { name: call.name, arguments: '' } }] }),
    );
    for (const part of chunksOf(argumentsText(call), turn.chunkChars)) {
      out.push(chunk({ tool_calls: [{ index: at, function: { arguments: part } }] }));
    }
  }
  if (turn.withoutEnd) return out;
  out.push(chunk({}, finishReason(turn)));
  const usage = usageOf(turn);
  if (usage) {
    out.push(
      frame({
        ...base,
        choices: [],
        usage: {
          prompt_tokens: usage.input,
          completion_tokens: usage.output,
          total_tokens: usage.input + usage.output,
          prompt_tokens_details: { cached_tokens: usage.cached },
          completion_tokens_details: { reasoning_tokens: usage.reasoning },
        },
      }),
    );
  }
  out.push('data: [DONE]\n\n');
  return out;
}

function finishReason(turn: Turn): string {
  if (turn.finish === 'length') return 'length';
  if (turn.finish === 'refused') return 'content_filter';
  return turn.calls?.length ? 'tool_calls' : 'stop';
}

function frame(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
