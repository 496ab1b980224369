/** The Messages API on the wire. https://docs.anthropic.com/en/docs/build-with-claude/streaming */
import { checkAnthropicRequest } from '../request-shapes/anthropic.ts';
import { argumentsText, chunksOf, usageOf } from './turn.ts';
import type { ErrorName, Turn, WireDialect } from './turn.ts';

export const anthropic: WireDialect = {
  basePath: '',
  accepts: (method, path) => method === 'POST' && path === '/v1/messages',
  check: checkAnthropicRequest,
  error,
  frames,
  errorFrame: (name, message) => frame(error(name, message).body as { type: string }),
};

type Block = { readonly start: Record<string, unknown>; readonly deltas: readonly Record<string, unknown>[] };

function frames(turn: Turn, { model, index }: { model: string; index: number }): string[] {
  const usage = usageOf(turn) ?? { input: 0, output: 0, cached: 0, reasoning: 0 };
  const out = [
    frame({
      type: 'message_start',
      message: {
        id: `msg_${index}`,
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          // Anthropic counts what was read from its cache apart.
          input_tokens: usage.input - usage.cached,
          cache_read_input_tokens: usage.cached,
          cache_creation_input_tokens: 0,
          output_tokens: 1,
        },
      },
    }),
    frame({ type: 'ping' }),
  ];
  for (const [at, block] of blocksOf(turn, index).entries()) {
    out.push(frame({ type: 'content_block_start', index: at, content_block: block.start }));
    for (const delta of block.deltas) out.push(frame({ type: 'content_block_delta', index: at, delta }));
    out.push(frame({ type: 'content_block_stop', index: at }));
  }
  if (turn.withoutEnd) return out;
  const delta = { stop_reason: stopReason(turn), stop_sequence: null };
  out.push(frame({ type: 'message_delta', delta, usage: { output_tokens: usage.output } }));
  out.push(frame({ type: 'message_stop' }));
  return out;
}

function blocksOf(turn: Turn, index: number): Block[] {
  const blocks: Block[] = [];
  if (turn.reasoning !== undefined || turn.signature !== undefined) {
    const signature = turn.signature ?? `signature-${index}`;
    const deltas = chunksOf(turn.reasoning ?? '', turn.chunkChars).map((thinking) => ({
      type: 'thinking_delta',
      thinking,
    }));
    blocks.push({
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [...deltas, { type: 'signature_delta', signature }],
    });
  }
  if (turn.redacted !== undefined)
    blocks.push({ start: { type: 'redacted_thinking', data: turn.redacted }, deltas: [] });
  if (turn.text !== undefined) {
    const deltas = chunksOf(turn.text, turn.chunkChars).map((text) => ({ type: 'text_delta', text }));
    blocks.push({ start: { type: 'text', text: '' }, deltas });
  }
  for (const [at, call] of (turn.calls ?? []).entries()) {
    const pieces = chunksOf(argumentsText(call), turn.chunkChars);
    blocks.push({
      start: { type: 'tool_use', id: call.id ?? `toolu_${index}_${at}`, name: call.name, input: {} },
      deltas: ['', ...pieces].map((json) => ({ type: 'input_json_delta', partial_json: json })),
    });
  }
  return blocks;
}

function stopReason(turn: Turn): string {
  if (turn.finish === 'length') return 'max_tokens';
  if (turn.finish === 'refused') return 'refusal';
  return turn.calls?.length ? 'tool_use' : 'end_turn';
}

/** https://docs.anthropic.com/en/api/errors */
const shapes: Readonly<Record<ErrorName, readonly [status: number, type: string, message: string]>> = {
  auth: [401, 'authentication_error', 'invalid x-api-key'],
  quota: [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'],
  rate_limit: [429, 'rate_limit_error', 'This request would exceed the rate limit for your organization.'],
  overloaded: [529, 'overloaded_error', 'Overloaded'],
  server: [500, 'api_error', 'Internal server error'],
  context_overflow: [400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'],
  unknown_model: [404, 'not_found_error', 'model: nope'],
  bad_request: [400, 'invalid_request_error', 'messages: Field required'],
  refused: [400, 'invalid_request_error', 'Output blocked by content filtering policy'],
};

function error(name: ErrorName, message: string | undefined): { status: number; body: unknown } {
  const [status, type, usual] = shapes[name];
  return { status, body: { type: 'error', error: { type, message: message ?? usual }, request_id: 'req_1' } };
}

function frame(data: { readonly type: string; readonly [key: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
