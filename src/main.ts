/** The composition root: the one file that builds everything. Run directly, it is the command line. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { lateBound } from './base/late-bound.ts';
import { once } from './base/once.ts';
import { readVersion } from './base/read-version.ts';
import { rungText } from './base/rung-text.ts';
import type { Handrail, HandrailOptions } from './contract/handrail.ts';
import { examine } from './conversation/examine.ts';
import type { FaceParts } from './conversation/face-parts.ts';
import { createHandrailFace } from './conversation/handrail-face.ts';
import type { TurnServices } from './conversation/start-turn.ts';
import { createServiceBinder } from './executor/bind-services.ts';
import { createCallExecutor } from './executor/call-executor.ts';
import type { LibraryRegistry } from './executor/library-registry.ts';
import { createToolSet, type ToolSet } from './executor/tool-set.ts';
import { openToolbox, type Judged } from './executor/open-toolbox.ts';
import { createStandaloneRegistry, type StandaloneOptions } from './executor/standalone-registry.ts';
import { systemPrompt } from './loop/system-prompt.ts';
import { createModelSource } from './models/model-source.ts';
import { openPersonWays } from './services/person-ways.ts';
import { enableCompileCacheIn } from './services/state-folder/compile-cache.ts';
import { ownConversation } from './services/ownership/own-conversation.ts';
import { createLog, tellPerson } from './services/log/create-log.ts';
import { createServices } from './services/service-makers.ts';
import { openSecrets } from './services/secrets/open-secrets.ts';
import { openLiveSettings } from './services/settings/live-settings.ts';
import { createHandOver } from './services/hand-over.ts';
import { createUpkeep } from './services/state-folder/create-upkeep.ts';
import { ensureStateFolders } from './services/state-folder/ensure-state-folders.ts';
import { resolvePlaces } from './services/state-folder/resolve-state-folders.ts';
import { webPlaces } from './services/state-folder/web-places.ts';
import { readProjectText } from './services/workspace/read-project-text.ts';
import { chooseWorkspace } from './services/workspace/choose-workspace.ts';
import { openWorkspaces } from './services/workspace/open-workspaces.ts';
import { openStorage } from './storage/open-storage.ts';

export { defineTool } from './contract/tool.ts';
export { ToolFailure } from './contract/failure.ts';
export type { Handrail, HandrailOptions, ToolRequest, TurnRequest, TurnSummary } from './contract/handrail.ts';
export type { JournalEvent } from './contract/event.ts';
export type { CallOutcome } from './contract/output.ts';

const programFolder = import.meta.dirname;

/** Rejects with MisuseFailure (a folder that cannot be the workspace) or SetupFailure (settings, state folder). */
export async function createHandrail(options: HandrailOptions = {}): Promise<Handrail> {
  const parts = await makeParts(options);
  const { folders, live, workspace, workspaces, inForce, handOver, secrets, storage, tools } = parts;
  const hands = lateBound<FaceParts['hands']>(async () => (await inForce()).hands);
  const models = lateBound<FaceParts['models']>(async () => (await inForce()).models);
  return createHandrailFace({
    version: await readVersion(path.dirname(programFolder)),
    ...{ ...live, hands, models, secrets, storage, workspace, workspaces },
    ...{ notifications: parts.ways.notices.feed, fileViewing: parts.ways.viewing.feed, explainRule: parts.explainRule },
    ...{ turnServices: once(() => makeTurnServices(parts)), listTools: () => inForce().then(tools.list) },
    rung: async () => rungText((await (await inForce()).hands.shellFacts()).rung),
    examine: async () =>
      examine({
        places: folders.roots,
        settings: { ...live.state(), confirmations: live.confirmations },
        sandbox: (await inForce()).hands.sandboxReport,
        modelChoices: models.choices,
        database: () => storage(),
        secrets: () => secrets.describe(),
      }),
    releaseConversation: (id) => handOver.newest().hands.closeConversation(id),
    upkeep: createUpkeep({ folders, storage, secrets }),
    release: () => handOver.close().then(async () => (await storage.made())?.close()),
  });
}

/** A registry by itself: tools, permission and dispatch, without conversations or a database. */
export function createToolRegistry(options: StandaloneOptions = {}): LibraryRegistry {
  const asker = async () =>
    (await import('./cli/terminal-asker.ts')).createTerminalAsker(process.stdin, process.stderr);
  return createStandaloneRegistry(options, asker);
}

type Parts = Awaited<ReturnType<typeof makeParts>>;

async function makeParts(options: HandrailOptions) {
  const environment = options.environment ?? process.env;
  const { folders, userHome, rules } = resolvePlaces(environment);
  const workspace = options.needsNoWorkspace === true ? undefined : await chooseWorkspace(options.workspace, rules);
  ensureStateFolders(folders);
  const { redactor, knownSecrets, ...secrets } = openSecrets(folders, environment);
  const { registry, judge, explainRule } = await openToolbox(path.join(programFolder, 'tools'), rules, options.tools);
  const stored = { ...folders, sqlitePath: folders.databaseFile, redactor, beginAnew: tellPerson };
  const storage = once(() => openStorage({ databaseUrl: environment['HANDRAIL_DATABASE_URL'], ...stored }));
  const live = await openLiveSettings(folders, options, (settings) => {
    const models = createModelSource({ settings, environment, readSecret: (name) => secrets.get(name) });
    return { ...judge(settings), models };
  });
  const ways = openPersonWays(environment);
  const own = { folders, ...ways, redactor, knownSecrets, userHome, environment, programFolder };
  const handOver = createHandOver({
    ...live,
    make(settings) {
      const hands = createServices({ ...own, settings, confirmations: live.confirmations });
      return { hands, services: createServiceBinder({ ...hands.makers, toolCatalog: () => tools.catalog() }) };
    },
    leave: ({ hands }, id) => hands.leaveConversation(id),
    close: ({ services }) => services.close(),
  });
  const gate: Judged['gate'] = (tool) => live.current().gate(tool);
  const tools: ToolSet = createToolSet(registry, gate, () => handOver.newest().hands.shellFacts());
  const inForce = async () => ({ ...(await live.now()), ...handOver.newest() });
  const made = { secrets, ways, redactor, storage, live, handOver, inForce, registry, explainRule, gate, tools };
  return { folders, workspace, workspaces: openWorkspaces(rules), ...made };
}

async function makeTurnServices(parts: Parts): Promise<TurnServices> {
  const { folders, live, inForce, handOver, registry, redactor, gate, tools } = parts;
  const storage = await parts.storage();
  return {
    storage,
    now: () => new Date(),
    newId: randomUUID,
    own: (id) => ownConversation(storage.place, id),
    offeredTools: async (...asked) => inForce().then(() => tools.offered(...asked)),
    executeCalls: createCallExecutor({
      ...{ registry, redactor, closedGate: gate, look: live.now, during: handOver.during, grants: storage.grants },
      log: createLog(folders.logFile, redactor),
      policy: () => live.current().policy,
      permissions: () => live.settings().permissions,
      untrustedSince: (id) => storage.events.firstUntrusted(id),
    }),
    polls: tools.polls,
    systemPrompt: async (conversation) => {
      const projectText = await readProjectText((await inForce()).hands.makers.files, conversation);
      const own = { ...live.settings().agent, projectText, now: new Date() };
      return systemPrompt({ ...conversation, ...own, shell: await tools.environment() });
    },
  };
}

if (import.meta.main) {
  enableCompileCacheIn(process.env);
  const standardStreams = { stdin: process.stdin, stdout: process.stdout };
  const { startCommandLine } = await import('./cli/start.ts');
  process.exitCode = await startCommandLine(process.argv.slice(2), {
    version: await readVersion(path.dirname(programFolder)),
    open: createHandrail,
    serveMcp: async (options) =>
      (await import('./mcp/server/serve-mcp.ts')).serveMcp({ ...options, ...standardStreams }),
    serveWeb: async (options) =>
      (await import('./server/serve-web.ts')).serveWeb({ ...options, ...webPlaces(process.env, programFolder) }),
  });
}
