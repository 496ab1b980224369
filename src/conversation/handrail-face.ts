/** The face that terminal, MCP server and library share, over the parts that main.ts makes. */
import type { Handrail, ToolRequest, TurnRequest, TurnSummary } from '../contract/handrail.ts';
import type { CallOutcome } from '../contract/output.ts';
import type { Conversation, Storage } from '../contract/storage.ts';
import { MisuseFailure } from '../contract/failure.ts';
import { once } from '../base/once.ts';
import { createContextCache } from './context-cache.ts';
import { createJournalSeal } from './journal-seal.ts';
import { type FaceParts, passedOn } from './face-parts.ts';
import { createKeptRecords } from './kept-records.ts';
import { openConversation } from './open-conversation.ts';
import { ownWhile } from './own-while.ts';
import { resumeTurn, startTurn, type TurnOptions, type TurnServices } from './start-turn.ts';
import { runSingleCall } from './single-call.ts';
import { createWorkTracker } from './track-work.ts';

export function createHandrailFace(given: FaceParts): Handrail {
  const seal = createJournalSeal();
  const parts = { ...given, turnServices: once(() => withContexts(given.turnServices, seal.wrap)) };
  const { track, close: endWork } = createWorkTracker();

  async function conversationFor(
    { conversationId, workspace }: Pick<TurnRequest, 'conversationId' | 'workspace'>,
    title: string,
    isThrowaway: boolean,
  ): Promise<Conversation> {
    const services = await parts.turnServices();
    const { storage } = services;
    return openConversation(storage.conversations, {
      id: conversationId ?? services.newId(),
      title,
      workspace: workspace === undefined ? workspaceOf(parts) : await parts.workspaces.choose(workspace),
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
      maxRounds: request.maxRounds ?? parts.settings().limits.rounds,
      budgets: parts.settings().budgets,
      ...(request.onEvent === undefined ? {} : { onEvent: request.onEvent }),
    };
  }

  return {
    ...passedOn(parts),
    get settings() {
      return parts.settings();
    },
    get workspace() {
      return parts.workspace ?? '';
    },
    runTool: (request: ToolRequest): Promise<CallOutcome> =>
      track(request.signal, async (signal) => {
        const conversation = await conversationFor(request, request.tool, request.conversationId === undefined);
        const { tool, input, origin, approve, asker, onEvent } = request;
        const options = { approve, asker, signal, ...(onEvent === undefined ? {} : { onEvent }) };
        return runSingleCall(await parts.turnServices(), conversation, { tool, input, origin }, options);
      }),

    ask: (request: TurnRequest): Promise<TurnSummary> =>
      track(request.signal, async (signal) => {
        // First the model: a conversation that cannot begin must not be made.
        const options = await turnOptions(request, signal);
        const conversation = await conversationFor(request, titleOf(request.text), false);
        const message = {
          role: 'user',
          parts: [{ type: 'text', text: request.text }, ...(request.images ?? [])],
        } as const;
        const services = await parts.turnServices();
        return ownWhile(services, conversation, async () => {
          await nameUnnamed(services, conversation, request.text);
          return startTurn(services, conversation, message, options);
        });
      }),

    resume: (request) =>
      track(request.signal, async (signal) => {
        const services = await parts.turnServices();
        const conversation = await services.storage.conversations.get(request.conversationId);
        if (conversation === undefined) throw new MisuseFailure(`There is no conversation ${request.conversationId}.`);
        const options = await turnOptions(request, signal);
        return ownWhile(services, conversation, () => resumeTurn(services, conversation, options));
      }),

    ...createKeptRecords(parts),
    model: (name) => parts.models.info(name),

    async close(options = {}) {
      if (options.leaveTurnsOpen === true) seal.close();
      await endWork();
      await parts.release();
    },
  };
}

async function withContexts(
  turnServices: FaceParts['turnServices'],
  wrap: (storage: Storage) => Storage,
): Promise<TurnServices> {
  const services = await turnServices();
  const storage = wrap(services.storage);
  return { ...services, storage, contexts: createContextCache(storage.events) };
}

function workspaceOf(parts: FaceParts): string {
  if (parts.workspace === undefined) throw new MisuseFailure('This needs a workspace. Name one with --workspace.');
  return parts.workspace;
}

/** One that was made before anything was said in it. */
async function nameUnnamed({ storage }: TurnServices, { id, title }: Conversation, text: string): Promise<void> {
  if (title === '') await storage.conversations.update(id, { title: titleOf(text) });
}

/** The first words of what the user said; a model is not asked for a title. */
function titleOf(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
}
