/** The face that terminal, MCP server and library share, over the parts that main.ts makes. */
import type { Handrail, ToolRequest, TurnRequest, TurnSummary } from '../contract/handrail.ts';
import type { CallOutcome } from '../contract/output.ts';
import type { Conversation, Storage } from '../contract/storage.ts';
import { MisuseFailure } from '../contract/failure.ts';
import { once } from '../base/once.ts';
import { createContextCache } from './context-cache.ts';
import { localDay } from './budget/local-day.ts';
import { openConversation } from './open-conversation.ts';
import { resumeTurn, startTurn, type TurnOptions, type TurnServices } from './start-turn.ts';
import { runSingleCall } from './single-call.ts';
import type { ModelClient, ModelInfo } from '../contract/model.ts';

export type FaceParts = Pick<
  Handrail,
  'version' | 'settings' | 'listTools' | 'switchTool' | 'secrets' | 'rung' | 'examine' | 'confirmations'
> & {
  readonly hands: Pick<Handrail, 'jobs' | 'trusted' | 'userland' | 'sandboxShell'>;
  /** Undefined when the program was opened without one. */
  readonly workspace: string | undefined;
  /** Opened on first use, so that looking at tools needs no database. */
  storage(): Promise<Storage>;
  turnServices(): Promise<TurnServices>;
  readonly models: {
    /** Rejects with SetupFailure that names the ways to connect one. `name` omitted: the default. */
    client(name: string | undefined): Promise<ModelClient>;
    info(name: string | undefined): Promise<ModelInfo | undefined>;
    choices(): ReturnType<Handrail['modelChoices']>;
  };
  /** Ends what the conversation has running and drops what is kept for it. */
  releaseConversation(id: string): Promise<void>;
  release(): Promise<void>;
};

export function createHandrailFace(given: FaceParts): Handrail {
  const parts = { ...given, turnServices: once(() => withContexts(given.turnServices)) };
  // Running work is waited for when the program closes, so that nothing is cut off half written.
  const running = new Map<Promise<unknown>, AbortController>();

  function track<Result>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const control = new AbortController();
    const merged = signal === undefined ? control.signal : AbortSignal.any([signal, control.signal]);
    const promise = work(merged);
    running.set(promise, control);
    const forget = () => running.delete(promise);
    promise.then(forget, forget);
    return promise;
  }

  async function conversationFor(id: string | undefined, title: string, isThrowaway: boolean): Promise<Conversation> {
    const services = await parts.turnServices();
    const { storage } = services;
    return openConversation(storage.conversations, {
      id: id ?? services.newId(),
      title,
      workspace: workspaceOf(parts),
      isThrowaway,
      now: services.now(),
    });
  }

  async function turnOptions(request: Omit<TurnRequest, 'text' | 'images'>, signal: AbortSignal): Promise<TurnOptions> {
    return {
      model: await parts.models.client(request.model),
      approve: request.approve,
      asker: request.asker,
      signal,
      maxRounds: request.maxRounds ?? parts.settings.limits.rounds,
      budgets: parts.settings.budgets,
      ...(request.onEvent === undefined ? {} : { onEvent: request.onEvent }),
    };
  }

  return {
    version: parts.version,
    settings: parts.settings,
    listTools: parts.listTools,
    switchTool: parts.switchTool,
    secrets: parts.secrets,
    modelChoices: () => parts.models.choices(),
    rung: parts.rung,
    examine: parts.examine,
    confirmations: parts.confirmations,
    jobs: parts.hands.jobs,
    trusted: parts.hands.trusted,
    userland: parts.hands.userland,
    sandboxShell: parts.hands.sandboxShell,
    get workspace() {
      return parts.workspace ?? '';
    },

    runTool: (request: ToolRequest): Promise<CallOutcome> =>
      track(request.signal, async (signal) => {
        const conversation = await conversationFor(
          request.conversationId,
          request.tool,
          request.conversationId === undefined,
        );
        const { tool, input, origin, approve, asker, onEvent } = request;
        const options = { approve, asker, signal, ...(onEvent === undefined ? {} : { onEvent }) };
        return runSingleCall(await parts.turnServices(), conversation, { tool, input, origin }, options);
      }),

    ask: (request: TurnRequest): Promise<TurnSummary> =>
      track(request.signal, async (signal) => {
        // First the model: a conversation that cannot begin must not be made.
        const options = await turnOptions(request, signal);
        const conversation = await conversationFor(request.conversationId, titleOf(request.text), false);
        const message = {
          role: 'user',
          parts: [{ type: 'text', text: request.text }, ...(request.images ?? [])],
        } as const;
        const services = await parts.turnServices();
        return owning(services, conversation, () => startTurn(services, conversation, message, options));
      }),

    resume: (request) =>
      track(request.signal, async (signal) => {
        const services = await parts.turnServices();
        const conversation = await services.storage.conversations.get(request.conversationId);
        if (conversation === undefined) throw new MisuseFailure(`There is no conversation ${request.conversationId}.`);
        const options = await turnOptions(request, signal);
        return owning(services, conversation, () => resumeTurn(services, conversation, options));
      }),

    conversations: {
      list: async (options) => (await parts.storage()).conversations.list(options),
      get: async (id) => (await parts.storage()).conversations.get(id),
      events: async (id) => (await parts.storage()).events.read(id),
      remove: (id) => removeConversation(parts, id),
    },
    grants: {
      list: async (conversationId) => (await parts.storage()).grants.list(conversationId),
      all: async () => (await parts.storage()).grants.all(),
      revoke: async (id) => (await parts.storage()).grants.revoke(id),
    },
    async costs(days) {
      const today = new Date();
      const first = new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1);
      const lines = await (await parts.storage()).spending.list({ fromDay: localDay(first) });
      return { today: localDay(today), lines };
    },
    ledger: {
      list: async (filter) => (await parts.storage()).ledger.list(filter),
      find: async (callId) => (await parts.storage()).ledger.find(callId),
    },
    model: (name) => parts.models.info(name),

    async close() {
      for (const control of running.values()) control.abort();
      await Promise.allSettled(running.keys());
      await parts.release();
    },
  };
}

async function withContexts(turnServices: FaceParts['turnServices']): Promise<TurnServices> {
  const services = await turnServices();
  return { ...services, contexts: createContextCache(services.storage.events) };
}

async function removeConversation(parts: FaceParts, id: string): Promise<boolean> {
  const services = await parts.turnServices();
  const { conversations } = services.storage;
  const conversation = await conversations.get(id);
  if (conversation === undefined) return false;
  await owning(services, conversation, async () => {
    // First what runs: a job without its conversation could not be found any more.
    await parts.releaseConversation(id);
    await conversations.remove(id);
  });
  return true;
}

/** Two turns at once in one conversation would answer each other's calls. */
async function owning<Result>(
  services: TurnServices,
  { id }: Conversation,
  work: () => Promise<Result>,
): Promise<Result> {
  const release = await services.own(id);
  try {
    return await work();
  } finally {
    await release();
  }
}

function workspaceOf(parts: FaceParts): string {
  if (parts.workspace === undefined) throw new MisuseFailure('This needs a workspace. Name one with --workspace.');
  return parts.workspace;
}

/** The first words of what the user said; a model is not asked for a title. */
function titleOf(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
}
