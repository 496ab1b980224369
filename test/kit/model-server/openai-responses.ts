/** The Responses API on the wire. https://platform.openai.com/docs/api-reference/responses-streaming */
import { checkOpenAiResponsesRequest } from '../request-shapes/openai-responses.ts';
import { openAiError } from './openai-errors.ts';
import { argumentsText, chunksOf, usageOf } from './turn.ts';
import type { ErrorName, ScriptedCall, Turn, WireDialect } from './turn.ts';

export const openAiResponses: WireDialect = {
  basePath: '/v1',
  accepts: (method, path) => method === 'POST' && path === '/v1/responses',
  check: checkOpenAiResponsesRequest,
  error: openAiError,
  frames,
  errorFrame,
};

type Emit = (type: string, fields: Record<string, unknown>) => void;

function frames(turn: Turn, { model, index }: { model: string; index: number }): string[] {
  const out: string[] = [];
  const emit: Emit = (type, fields) => out.push(frame({ type, sequence_number: out.length, ...fields }));
  const response = { id: `resp_${index}`, object: 'response', created_at: 1_760_000_000, model, store: false };
  emit('response.created', { response: { ...response, status: 'in_progress', error: null, output: [], usage: null } });
  emit('response.in_progress', {
    response: { ...response, status: 'in_progress', error: null, output: [], usage: null },
  });
  let outputIndex = 0;
  if (turn.reasoning !== undefined || turn.signature !== undefined) {
    emitReasoning(emit, turn, { index, outputIndex: outputIndex++ });
  }
  if (turn.text !== undefined) emitText(emit, turn, { index, outputIndex: outputIndex++ });
  for (const [at, call] of (turn.calls ?? []).entries()) {
    emitCall(emit, call, { turn, outputIndex: outputIndex++, name: `${index}_${at}` });
  }
  if (turn.withoutEnd) return out;
  const reason = turn.finish ? { length: 'max_output_tokens', refused: 'content_filter' }[turn.finish] : null;
  emit(reason ? 'response.incomplete' : 'response.completed', {
    response: {
      ...response,
      status: reason ? 'incomplete' : 'completed',
      error: null,
      incomplete_details: reason ? { reason } : null,
      output: [],
      usage: toUsage(turn),
    },
  });
  return out;
}

function emitReasoning(emit: Emit, turn: Turn, at: { index: number; outputIndex: number }): void {
  const id = `rs_${at.index}`;
  const place = { item_id: id, output_index: at.outputIndex, summary_index: 0 };
  const item = { id, type: 'reasoning', summary: [] as unknown[], encrypted_content: null as string | null };
  emit('response.output_item.added', { output_index: at.outputIndex, item });
  if (turn.reasoning) {
    emit('response.reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } });
    for (const delta of chunksOf(turn.reasoning, turn.chunkChars)) {
      emit('response.reasoning_summary_text.delta', { ...place, delta });
    }
    emit('response.reasoning_summary_text.done', { ...place, text: turn.reasoning });
    const part = { type: 'summary_text', text: turn.reasoning };
    emit('response.reasoning_summary_part.done', { ...place, part });
    item.summary = [part];
  }
  emit('response.output_item.done', {
    output_index: at.outputIndex,
    item: { ...item, encrypted_content: turn.signature ?? `encrypted-${at.index}` },
  });
}

function emitText(emit: Emit, turn: Turn, at: { index: number; outputIndex: number }): void {
  const id = `msg_${at.index}`;
  const place = { item_id: id, output_index: at.outputIndex, content_index: 0 };
  const item = { id, type: 'message', role: 'assistant', status: 'in_progress', content: [] as unknown[] };
  const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });
  emit('response.output_item.added', { output_index: at.outputIndex, item });
  emit('response.content_part.added', { ...place, part: part('') });
  const text = turn.text ?? '';
  for (const delta of chunksOf(text, turn.chunkChars))
    emit('response.output_text.delta', { ...place, delta, logprobs: [] });
  emit('response.output_text.done', { ...place, text, logprobs: [] });
  emit('response.content_part.done', { ...place, part: part(text) });
  emit('response.output_item.done', {
    output_index: at.outputIndex,
    item: { ...item, status: 'completed', content: [part(text)] },
  });
}

function emitCall(emit: Emit, call: ScriptedCall, at: { turn: Turn; outputIndex: number; name: string }): void {
  const id = `fc_${at.name}`;
  const callId = call.id ?? `call_${at.name}`;
  const place = { item_id: id, output_index: at.outputIndex };
  const item = { id, type: 'function_call', call_id: callId, name: call.name };
  const written = argumentsText(call);
  emit('response.output_item.added', {
    output_index: at.outputIndex,
    item: { ...item, status: 'in_progress', arguments: '' },
  });
  for (const delta of chunksOf(written, at.turn.chunkChars)) {
    emit('response.function_call_arguments.delta', { ...place, delta });
  }
  emit('response.function_call_arguments.done', { ...place, arguments: written });
  emit('response.output_item.done', {
    output_index: at.outputIndex,
    item: { ...item, status: 'completed', arguments: written },
  });
}

function toUsage(turn: Turn): unknown {
  const usage = usageOf(turn);
  return usage
    ? {
        input_tokens: usage.input,
        input_tokens_details: { cached_tokens: usage.cached },
        output_tokens: usage.output,
        output_tokens_details: { reasoning_tokens: usage.reasoning },
        total_tokens: usage.input + usage.output,
      }
    : null;
}

function errorFrame(name: ErrorName, message: string | undefined): string {
  const { body } = openAiError(name, message) as { body: { error: { message: string; code: string | null } } };
  const error = { code: body.error.code ?? 'server_error', message: body.error.message };
  return frame({ type: 'response.failed', sequence_number: 99, response: { id: 'resp_x', status: 'failed', error } });
}

function frame(data: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
