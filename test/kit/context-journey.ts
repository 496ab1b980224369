/** Many turns of one conversation through the library, before a scripted provider that knows how long its window is. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { estimateTokens } from '../../src/base/estimate-tokens.ts';
import type { Handrail, HandrailOptions, TurnSummary } from '../../src/contract/handrail.ts';
import type { JournalEvent } from '../../src/contract/event.ts';
import { createHandrail } from '../../src/main.ts';
import { key, services } from './dialect-client.ts';
import { type ModelServer, startModelServer, type Turn, type WireDialectName } from './model-server.ts';

export type SeenRequest = { readonly text: string; readonly isSummary: boolean; readonly tokens: number };

export type ContextJourney = {
  readonly server: ModelServer;
  readonly workspace: string;
  readonly seen: readonly SeenRequest[];
  readonly conversationId: string;
  /** `signal` omitted: nobody stops it. */
  say(text: string, signal?: AbortSignal): Promise<TurnSummary>;
  /** As after an end of the program: nothing in memory stays. `contextWindow` omitted: the same as before. */
  restart(contextWindow?: number): Promise<void>;
  events(): Promise<readonly JournalEvent[]>;
};

export type ContextJourneyOptions = {
  readonly dialect: WireDialectName;
  readonly contextWindow: number;
  /** For requests that carry tools, and for the last one of a stopped turn. */
  answer(request: SeenRequest, index: number): Turn;
  summarise(request: SeenRequest, index: number): Turn;
  readonly tools?: HandrailOptions['tools'];
  readonly maxRounds?: number;
  /** Omitted: the dialect's usual one. */
  readonly modelId?: string;
};

/** Reports the usage that a tokenizer like ours would count, a fifth higher. */
export async function createContextJourney(options: ContextJourneyOptions): Promise<ContextJourney> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-context-')));
  const [workspace, home, state] = ['workspace', 'home', 'state'].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [workspace, home, state]) mkdirSync(folder, { mode: 0o700 });
  const seen: SeenRequest[] = [];
  const server = await startModelServer({
    dialect: options.dialect,
    turns: (body) => {
      const text = JSON.stringify(body);
      const isSummary = text.includes('You summarise the older part of a conversation');
      const request = { text, isSummary, tokens: estimateTokens(text) };
      const index = seen.push(request) - 1;
      const turn = isSummary ? options.summarise(request, index) : options.answer(request, index);
      return { usage: { input: Math.round(request.tokens * 1.2), output: 20 }, ...turn };
    },
  });
  const { model: usualModel, baseUrlName, keyName } = services[options.dialect];
  const service = usualModel.split('/')[0];
  const model = options.modelId === undefined ? usualModel : `${service}/${options.modelId}`;
  const settingsOf = (contextWindow: number) => ({
    models: [{ service, dialect: options.dialect, contextWindow, maxOutputTokens: 512 }],
    // Each retry waits half a second and more.
    limits: { modelRetries: 0, ...(options.maxRounds === undefined ? {} : { rounds: options.maxRounds }) },
  });
  const writeSettings = (contextWindow: number) =>
    writeFileSync(path.join(state, 'settings.json'), JSON.stringify(settingsOf(contextWindow)), { mode: 0o600 });
  writeSettings(options.contextWindow);
  const environment = {
    PATH: process.env['PATH'],
    HOME: home,
    HANDRAIL_HOME: state,
    HANDRAIL_MODEL: model,
    [baseUrlName]: server.url,
    [keyName]: key,
  };
  const open = () =>
    createHandrail({ workspace, environment, ...(options.tools === undefined ? {} : { tools: options.tools }) });
  let handrail: Handrail = await open();
  onTestFinished(async () => {
    await handrail.close();
    await server.close();
    rmSync(root, { recursive: true, force: true });
  });
  const conversationId = 'long';
  return {
    server,
    workspace,
    seen,
    conversationId,
    say: (text, signal) =>
      handrail.ask({ text, conversationId, approve: 'none', ...(signal === undefined ? {} : { signal }) }),
    async restart(contextWindow) {
      await handrail.close();
      if (contextWindow !== undefined) writeSettings(contextWindow);
      handrail = await open();
    },
    events: () => handrail.conversations.events(conversationId),
  };
}

/** What a good model would write: it takes over each fact of what it is shown. */
export function factsOf({ text }: Pick<SeenRequest, 'text'>): string {
  return [...new Set(text.match(/FACT-[A-Z0-9-]+/g) ?? [])].join(' ');
}
