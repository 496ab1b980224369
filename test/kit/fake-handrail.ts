/** A program for the chat to talk to: its turns are scripts of events, its questions real, its waits short. */
import { randomUUID } from 'node:crypto';
import type { EventBody, JournalEvent } from '../../src/contract/event.ts';
import type { Attendance, Handrail, ToolStatus, TurnSummary } from '../../src/contract/handrail.ts';
import type { Question } from '../../src/contract/permission.ts';
import type { Conversation } from '../../src/contract/storage.ts';

export const noUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 };

/** What a scripted turn may do. It ends with the turn's end, which `finish` writes. */
export type TurnScript = (turn: {
  readonly text: string;
  readonly signal: AbortSignal;
  emit(body: EventBody): void;
  /** Puts the question to the person and records it and its answer. */
  ask(question: Partial<Question> & { readonly callId: string }): Promise<'allow' | 'deny'>;
  /** Resolves after the time, or at once when the turn is stopped. */
  wait(milliseconds: number): Promise<void>;
}) => Promise<void>;

export type FakeOptions = {
  readonly scripts?: Readonly<Record<string, TurnScript>>;
  readonly model?: string;
  readonly tools?: readonly ToolStatus[];
  readonly rung?: string;
  readonly conversations?: readonly (Conversation & { readonly events: readonly JournalEvent[] })[];
};

export type FakeHandrail = Handrail & {
  /** Everything asked of it, for tests. */
  readonly seen: {
    readonly texts: string[];
    readonly inputs: unknown[];
    readonly answers: string[];
    resumed: number;
    revoked: string[];
  };
};

export function createFakeHandrail(options: FakeOptions = {}): FakeHandrail {
  const journals = new Map<string, JournalEvent[]>(
    (options.conversations ?? []).map((each) => [each.id, [...each.events]]),
  );
  const known = new Map<string, Conversation>((options.conversations ?? []).map((each) => [each.id, each]));
  const seen: FakeHandrail['seen'] = { texts: [], inputs: [], answers: [], resumed: 0, revoked: [] };

  async function play(script: TurnScript, text: string, attendance: Attendance): Promise<TurnSummary> {
    const conversationId = attendance.conversationId ?? randomUUID();
    const journal = journals.get(conversationId) ?? [];
    journals.set(conversationId, journal);
    const turnId = randomUUID();
    const signal = attendance.signal ?? new AbortController().signal;
    const emit = (body: EventBody): void => {
      const event: JournalEvent = {
        ...body,
        conversationId,
        turnId,
        seq: journal.length + 1,
        at: new Date().toISOString(),
      };
      journal.push(event);
      attendance.onEvent?.(event);
    };
    await script({
      text,
      signal,
      emit,
      async ask(partial) {
        const question = questionOf(conversationId, partial);
        emit({ type: 'permission-ask', question });
        const answer = await (attendance.asker?.ask(question, signal) ?? { verdict: 'deny' as const });
        seen.answers.push(answer.verdict === 'allow' ? answer.scope : 'deny');
        emit({
          type: 'permission-answer',
          questionId: question.id,
          callId: question.callId,
          answer,
          origin: 'terminal',
        });
        return answer.verdict;
      },
      wait: (milliseconds) =>
        new Promise((resolve) => {
          const timer = setTimeout(resolve, signal.aborted ? 0 : milliseconds);
          signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
        }),
    });
    return { conversationId, reason: signal.aborted ? 'stopped' : 'answer', answer: '', usage: noUsage };
  }

  return {
    version: '0.1.0',
    workspace: '/tmp/project',
    settings: {} as Handrail['settings'],
    seen,
    listTools: async () => options.tools ?? [],
    switchTool: async () => {},
    modelSetup: async () => ({ services: [], local: [] }),
    tryModel: async () => ({ isGood: true, answer: 'Hello.', firstWordMs: 1, totalMs: 2 }),
    folders: async (path = '/') => ({ path, isGit: false, hasProjectText: false, folders: [], hidden: 0 }),
    scratchFolder: async () => '/',
    upkeep: { places: async () => [], list: async () => [], make: async () => Promise.reject(new Error('no backups')) },
    costs: async () => ({ today: '2026-01-31', lines: [] }),
    async runTool(request) {
      seen.inputs.push({ tool: request.tool, input: request.input });
      const callId = randomUUID();
      const input = JSON.stringify(request.input);
      const said = `ran ${request.tool} ${input}`;
      const outcome = { ok: true, text: said, view: { kind: 'text', text: said } } as const;
      await play(
        async ({ emit, wait, signal }) => {
          emit({
            type: 'tool-start',
            callId,
            tool: request.tool,
            title: request.tool,
            summary: '',
            input,
            effect: 'once',
            origin: 'user',
          });
          if (input.includes('sleep')) await wait(60_000);
          const stopped = {
            ok: false,
            text: 'Stopped.',
            error: { code: 'cancelled', message: 'Stopped by the user.' },
          };
          const ended = signal.aborted ? stopped : outcome;
          emit({
            type: 'tool-end',
            callId,
            tool: request.tool,
            outcome: ended,
            decision: { verdict: 'allow', reason: 'you typed it' },
            durationMs: 12,
          });
        },
        '',
        request,
      );
      return outcome;
    },
    async ask(request) {
      seen.texts.push(request.text);
      const name = Object.keys(options.scripts ?? {}).find((each) => request.text.startsWith(each));
      const script = options.scripts?.[name ?? ''] ?? answering(`You said: ${request.text}`);
      return play(turnOf(script), request.text, request);
    },
    async resume(request) {
      seen.resumed += 1;
      return play(
        async (turn) => {
          turn.emit({ type: 'note', text: 'Going on with the turn that was cut off.' });
          await answering('Here is the rest.')(turn);
          turn.emit({ type: 'turn-end', reason: 'answer', answer: '', rounds: 1, usage: noUsage });
        },
        '',
        request,
      );
    },
    conversations: {
      list: async () => [...known.values()],
      get: async (id) => known.get(id),
      create: () => Promise.reject(new Error('not part of this fake')),
      branch: () => Promise.reject(new Error('not part of this fake')),
      update: () => Promise.reject(new Error('not part of this fake')),
      events: async (id) => journals.get(id) ?? [],
      lastSeq: async (id) => journals.get(id)?.length ?? 0,
      remove: async () => false,
    },
    ledger: { list: async () => [], find: async () => [], count: async () => ({ calls: 0, failed: 0, denied: 0 }) },
    grants: {
      list: async () => [
        {
          id: 'g1',
          tool: 'execute_shell_command',
          pattern: 'git push',
          scope: 'conversation',
          conversationId: 'c',
          origin: 'terminal',
          createdAt: '2026-01-01T00:00:00Z',
        },
      ],
      all: async () => [],
      async revoke(id) {
        seen.revoked.push(id);
        return true;
      },
    },
    secrets: { set: async () => ({ kind: 'file' }), remove: async () => true, names: async () => [] },
    async model(name) {
      const id = name ?? options.model;
      if (id === undefined || id.startsWith('nobody/')) return undefined;
      return {
        id,
        contextWindow: 200_000,
        maxOutputTokens: 8_000,
        acceptsImages: true,
        hasNativeCalls: true,
        isSmall: false,
      };
    },
    modelChoices: async () =>
      options.model === undefined
        ? []
        : [
            { id: options.model, source: 'ANTHROPIC_API_KEY' },
            { id: 'ollama/qwen3:8b', source: 'Ollama on this machine' },
          ],
    explainRule: async () => ({ tools: [] }),
    systemPrompt: async () => '',
    settingsFile: { look: notHere, read: notHere, change: notHere, schema: notHere },
    confirmations: { pending: () => [], hash: () => '', confirm: () => undefined },
    ...{ jobs: notHere, terminals: notHere, shells: notHere, readArtifact: notHere, trusted: notHere },
    contacts: () => Promise.resolve([]),
    sandboxReport: () => Promise.reject(new Error('not part of this fake')),
    files: () => Promise.reject(new Error('not part of this fake')),
    fileViewing: { follow: () => () => undefined },
    notifications: { follow: () => () => undefined },
    userland: () => Promise.reject(new Error('not part of this fake')),
    sandboxShell: () => Promise.reject(new Error('not part of this fake')),
    rung: async () => options.rung ?? 'namespaces',
    examine: async () => [
      { area: 'Node', state: 'good', text: '24.21.0' },
      { area: 'sandbox', state: 'bad', text: 'bubblewrap is missing', fix: 'apt install bubblewrap' },
    ],
    close: async () => undefined,
  };
}

/** A turn that only says something. */
export function answering(text: string): TurnScript {
  return async ({ emit }) => {
    emit({ type: 'model-start', model: 'fake/model', round: 1 });
    emit({ type: 'text-delta', text });
    emit({
      type: 'model-end',
      model: 'fake/model',
      message: { role: 'assistant', parts: [{ type: 'text', text }] },
      usage: noUsage,
      finish: 'answer',
      durationMs: 1,
    });
  };
}

function turnOf(script: TurnScript): TurnScript {
  return async (turn) => {
    turn.emit({
      type: 'turn-start',
      message: { role: 'user', parts: [{ type: 'text', text: turn.text }] },
      origin: 'terminal',
    });
    await script(turn).catch((error: unknown) => {
      if (!turn.signal.aborted) throw error;
    });
    const reason = turn.signal.aborted ? 'stopped' : 'answer';
    turn.emit({
      type: 'turn-end',
      reason,
      answer: '',
      rounds: 1,
      usage: { ...noUsage, inputTokens: 4000, outputTokens: 210 },
    });
  };
}

function questionOf(conversationId: string, partial: Partial<Question> & { readonly callId: string }): Question {
  return {
    id: randomUUID(),
    conversationId,
    tool: 'execute_shell_command',
    title: 'Run command',
    summary: '',
    reason: 'it asks',
    input: '{}',
    accesses: [],
    isDangerous: false,
    scopes: ['once', 'conversation'],
    hash: 'h',
    ...partial,
  };
}

const notHere = (): Promise<never> => Promise.reject(new Error('not part of this fake'));
