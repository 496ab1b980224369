/** What a scripted model says in one turn, as data, so that a script can also come from a file. */

export type WireDialectName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';

export type ScriptedCall = {
  readonly name: string;
  readonly input?: unknown;
  /** Instead of `input`: the arguments' text as it is, also broken. */
  readonly rawInput?: string;
  /** Omitted: made up. May be empty or repeated, as some servers do it. */
  readonly id?: string;
};

export type ScriptedUsage = {
  readonly input?: number;
  readonly output?: number;
  readonly cached?: number;
  readonly reasoning?: number;
};

export const errorNames = [
  'auth',
  'quota',
  'rate_limit',
  'overloaded',
  'server',
  'context_overflow',
  'unknown_model',
  'bad_request',
  'refused',
] as const;
export type ErrorName = (typeof errorNames)[number];

export type Turn = {
  readonly reasoning?: string;
  /** What the model wants to see again with its reasoning; Gemini puts it on the first call or the text. */
  readonly signature?: string;
  /** Anthropic: a block of reasoning that nobody may read. */
  readonly redacted?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Omitted: made up. Null: none is reported. */
  readonly usage?: ScriptedUsage | null;
  readonly finish?: 'length' | 'refused';
  /** Characters of text per event. Omitted: 24. */
  readonly chunkChars?: number;
  /** Wait before each event. Omitted: none. */
  readonly delayMs?: number;

  /** An error in the provider's own shape instead of a stream. */
  readonly error?: ErrorName;
  readonly message?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the provider's shape: this body; text as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly redirectTo?: string;

  /** An error event behind the content, in a stream that had begun with 200. */
  readonly streamError?: ErrorName;
  /** How the stream ends after `cutAfterEvents` or `cutAfterBytes`: as if it were whole, or with a broken connection. Omitted: whole. */
  readonly cut?: 'clean' | 'abrupt';
  readonly cutAfterEvents?: number;
  readonly cutAfterBytes?: number;
  /** Nothing more after so many events, until the client goes away. */
  readonly stallAfterEvents?: number;
  /** Instead of what the turn would make: these frames, as they are. */
  readonly rawFrames?: readonly string[];
  /** Leaves the last marks out (`[DONE]`, finish reason, `message_stop` …). */
  readonly withoutEnd?: boolean;
};

export type TurnMaker = (body: Record<string, unknown>, index: number) => Turn | Promise<Turn>;

/** How one provider speaks. Frames are whole server-sent events, the last blank line included. */
export type WireDialect = {
  /** Path that belongs to the base URL, as users of the dialect set it. */
  readonly basePath: string;
  accepts(method: string, path: string): boolean;
  /** What the true provider would complain about; undefined when nothing. */
  check(body: unknown, headers: Readonly<Record<string, string | undefined>>): string | undefined;
  error(name: ErrorName, message: string | undefined): { readonly status: number; readonly body: unknown };
  frames(turn: Turn, context: { readonly model: string; readonly index: number }): string[];
  errorFrame(name: ErrorName, message: string | undefined): string;
};

export function chunksOf(text: string, size = 24): string[] {
  if (!/[\ud800-\udfff]/.test(text)) {
    const count = Math.ceil(text.length / size);
    return Array.from({ length: count }, (_, at) => text.slice(at * size, (at + 1) * size));
  }
  const characters = [...text];
  const chunks: string[] = [];
  for (let at = 0; at < characters.length; at += size) chunks.push(characters.slice(at, at + size).join(''));
  return chunks;
}

export function argumentsText(call: ScriptedCall): string {
  return call.rawInput ?? JSON.stringify(call.input ?? {});
}

export function usageOf(turn: Turn): Required<ScriptedUsage> | undefined {
  if (turn.usage === null) return undefined;
  return { input: 100, output: 20, cached: 0, reasoning: 0, ...turn.usage };
}
