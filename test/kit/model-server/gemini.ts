/** Gemini's streamGenerateContent on the wire. https://ai.google.dev/api/generate-content */
import { checkGeminiRequest } from '../request-shapes/gemini.ts';
import { chunksOf, usageOf } from './turn.ts';
import type { ErrorName, ScriptedCall, Turn, WireDialect } from './turn.ts';

export const gemini: WireDialect = {
  basePath: '',
  accepts: (method, path) =>
    method === 'POST' && /^\/v1beta\/(?:models|tunedModels)\/[^/]+:streamGenerateContent\?alt=sse$/.test(path),
  check: checkGeminiRequest,
  error,
  frames,
  errorFrame: (name, message) => frame(error(name, message).body),
};

type Part = Record<string, unknown>;

function frames(turn: Turn, { model, index }: { model: string; index: number }): string[] {
  const isBroken = (turn.calls ?? []).some((call) => argsOf(call) === undefined);
  const parts = isBroken ? [] : partsOf(turn);
  const chunk = (part: Part | undefined, finishReason?: string) =>
    frame({
      candidates: [
        {
          ...(part && { content: { role: 'model', parts: [part] } }),
          ...(finishReason && { finishReason }),
          index: 0,
        },
      ],
      ...usageMetadata(turn),
      modelVersion: model,
      responseId: `response-${index}`,
    });
  if (turn.withoutEnd) return parts.map((part) => chunk(part));
  if (turn.finish === 'refused' && parts.length === 0) {
    return [
      frame({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, ...usageMetadata(turn), modelVersion: model }),
    ];
  }
  // Gemini sends arguments as an object: what its model writes badly never gets out.
  const reason = isBroken
    ? 'MALFORMED_FUNCTION_CALL'
    : turn.finish && { length: 'MAX_TOKENS', refused: 'SAFETY' }[turn.finish];
  const last = parts.pop();
  return [...parts.map((part) => chunk(part)), chunk(last, reason ?? 'STOP')];
}

function partsOf(turn: Turn): Part[] {
  const parts: Part[] = chunksOf(turn.reasoning ?? '', turn.chunkChars).map((text) => ({ text, thought: true }));
  for (const text of chunksOf(turn.text ?? '', turn.chunkChars)) parts.push({ text });
  for (const [at, call] of (turn.calls ?? []).entries()) {
    parts.push({
      functionCall: { name: call.name, args: argsOf(call), ...(call.id !== undefined && { id: call.id }) },
      // Of parallel calls only the first one is signed. https://ai.google.dev/gemini-api/docs/thought-signatures
      ...(at === 0 && turn.signature !== undefined && { thoughtSignature: turn.signature }),
    });
  }
  if (turn.signature !== undefined && !turn.calls?.length) parts.push({ text: '', thoughtSignature: turn.signature });
  return parts;
}

function argsOf(call: ScriptedCall): unknown {
  if (call.rawInput === undefined) return call.input ?? {};
  try {
    return JSON.parse(call.rawInput);
  } catch {
    // Broken on purpose.
    return undefined;
  }
}

function usageMetadata(turn: Turn): Record<string, unknown> {
  const usage = usageOf(turn);
  if (!usage) return {};
  return {
    usageMetadata: {
      promptTokenCount: usage.input,
      cachedContentTokenCount: usage.cached,
      thoughtsTokenCount: usage.reasoning,
      // Gemini counts thoughts apart from the answer.
      candidatesTokenCount: usage.output - usage.reasoning,
      totalTokenCount: usage.input + usage.output,
    },
  };
}

/** https://ai.google.dev/gemini-api/docs/troubleshooting */
const shapes: Readonly<Record<ErrorName, readonly [status: number, name: string, message: string]>> = {
  auth: [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'],
  quota: [402, 'FAILED_PRECONDITION', 'Billing is not enabled for this project.'],
  rate_limit: [
    429,
    'RESOURCE_EXHAUSTED',
    'You exceeded your current quota, please check your plan and billing details.',
  ],
  overloaded: [503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  server: [500, 'INTERNAL', 'An internal error has occurred.'],
  context_overflow: [
    400,
    'INVALID_ARGUMENT',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  ],
  unknown_model: [404, 'NOT_FOUND', 'models/nope is not found for API version v1beta.'],
  bad_request: [400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  refused: [400, 'INVALID_ARGUMENT', 'The prompt was blocked.'],
};

function error(name: ErrorName, message: string | undefined): { status: number; body: unknown } {
  const [code, status, usual] = shapes[name];
  const details =
    name === 'auth'
      ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' }]
      : undefined;
  return { status: code, body: { error: { code, message: message ?? usual, status, ...(details && { details }) } } };
}

function frame(data: unknown): string {
  return `data: ${JSON.stringify(data)}\r\n\r\n`;
}
