/** Turns and typed calls. They belong to the server: a page that is closed ends nothing. */
import type { JournalEvent, TurnEndReason } from '../contract/event.ts';
import type { Handrail, TurnSummary } from '../contract/handrail.ts';
import type { CallOutcome } from '../contract/output.ts';
import type { Asker } from '../contract/permission.ts';
import type { Conversation } from '../contract/storage.ts';
import type { WebNewCall, WebNewTurn } from '../contract/web-api.ts';

export type RunningWork = {
  /** Resolves with its first event, as soon as what was said is written. Rejects when it cannot begin. */
  turn(conversation: Conversation, said: WebNewTurn): Promise<JournalEvent>;
  /** False: no turn was cut off. */
  resume(conversation: Conversation, model: string | undefined): Promise<boolean>;
  call(conversation: Conversation, call: WebNewCall): Promise<CallOutcome>;
  /** False: nothing runs here. */
  stop(conversationId: string): boolean;
  isRunning(conversationId: string): boolean;
  /** A turn, not only a typed call. */
  hasTurn(conversationId: string): boolean;
  /** Conversations in which something runs. */
  ids(): readonly string[];
};

export type WorkParts = {
  readonly handrail: Handrail;
  readonly asker: Asker;
  onEvent(event: JournalEvent): void;
  onRunning(conversationId: string, isRunning: boolean): void;
  /** Undefined: nobody knows how it ended. */
  onTurnEnd(conversationId: string, reason: TurnEndReason | undefined): void;
  /** Of what ended badly after it had begun, when nobody waits any more. */
  onProblem(line: string): void;
};

type Live = { readonly signal: AbortSignal; readonly onEvent: (event: JournalEvent) => void };

export function createRunningWork(parts: WorkParts): RunningWork {
  const { handrail } = parts;
  const running = new Map<string, Set<AbortController>>();
  const turns = new Map<string, number>();

  /** `begun`: the first event. */
  function start<Result>(id: string, work: (live: Live) => Promise<Result>) {
    const control = new AbortController();
    const controls = running.get(id) ?? new Set();
    running.set(id, controls.add(control));
    if (controls.size === 1) parts.onRunning(id, true);
    const begun = Promise.withResolvers<JournalEvent>();
    const onEvent = (event: JournalEvent): void => {
      begun.resolve(event);
      parts.onEvent(event);
    };
    const result = work({ signal: control.signal, onEvent }).finally(() => {
      controls.delete(control);
      if (controls.size > 0) return;
      running.delete(id);
      parts.onRunning(id, false);
    });
    return { begun: begun.promise, result };
  }

  /** Whether it has begun is what the page waits for; how it ended stands in the journal. */
  async function untilBegun<Result>({ begun, result }: { begun: Promise<JournalEvent>; result: Promise<Result> }) {
    const first = await Promise.race([begun, result.then(() => undefined)]);
    result.catch((error: unknown) => parts.onProblem(`A turn broke off: ${String(error)}`));
    return first;
  }

  function followTurn(id: string, result: Promise<TurnSummary | undefined>): void {
    turns.set(id, (turns.get(id) ?? 0) + 1);
    const end = (reason: TurnEndReason | undefined): void => {
      const left = (turns.get(id) ?? 1) - 1;
      if (left === 0) turns.delete(id);
      else turns.set(id, left);
      parts.onTurnEnd(id, reason);
    };
    // What went wrong is told to whoever waits for it.
    void result.catch(() => undefined).then((summary) => end(summary?.reason));
  }

  const attendance = ({ id, workspace }: Conversation) =>
    ({ conversationId: id, workspace, approve: 'ask', asker: parts.asker }) as const;

  return {
    async turn(conversation, { text, images = [], model }) {
      const said = { text, images: images.map((image) => ({ type: 'image', ...image }) as const) };
      const chosen = model === undefined ? {} : { model };
      const work = start(conversation.id, (live) =>
        handrail.ask({ ...attendance(conversation), ...said, ...chosen, ...live }),
      );
      followTurn(conversation.id, work.result);
      const first = await untilBegun(work);
      if (first === undefined) throw new Error('A turn ended without an event.');
      return first;
    },
    async resume(conversation, model) {
      const chosen = model === undefined ? {} : { model };
      const work = start(conversation.id, (live) =>
        handrail.resume({ ...attendance(conversation), ...chosen, ...live }),
      );
      followTurn(conversation.id, work.result);
      return (await untilBegun(work)) !== undefined;
    },
    call: (conversation, { tool, input, asks = false }) =>
      start(conversation.id, (live) =>
        handrail.runTool({ ...attendance(conversation), tool, input, origin: asks ? 'library' : 'user', ...live }),
      ).result,
    stop(conversationId) {
      const controls = running.get(conversationId);
      for (const control of controls ?? []) control.abort();
      return controls !== undefined;
    },
    isRunning: (conversationId) => running.has(conversationId),
    hasTurn: (conversationId) => turns.has(conversationId),
    ids: () => [...running.keys()],
  };
}
