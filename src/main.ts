/** The composition root: the one file that builds everything. Run directly, it is the command line. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { once } from './base/once.ts';
import { readVersion } from './base/read-version.ts';
import { rungText } from './base/rung-text.ts';
import type { Handrail, HandrailOptions } from './contract/handrail.ts';
import { examine } from './conversation/examine.ts';
import { createHandrailFace } from './conversation/handrail-face.ts';
import type { TurnServices } from './conversation/start-turn.ts';
import { createServiceBinder } from './executor/bind-services.ts';
import { discoverTools } from './executor/discover.ts';
import type { ExecutorParts } from './executor/executor-parts.ts';
import type { LibraryRegistry } from './executor/library-registry.ts';
import { createToolSet } from './executor/tool-set.ts';
import { createToolRegistry as createRegistry } from './executor/registry.ts';
import { createStandaloneRegistry, type StandaloneOptions } from './executor/standalone-registry.ts';
import { systemPrompt } from './loop/system-prompt.ts';
import { createModelSource } from './models/model-source.ts';
import { createApprovals } from './permission/approvals.ts';
import { createGate } from './permission/gate.ts';
import { createPolicy } from './permission/policy.ts';
import { createAccessResolver } from './permission/resolve-access.ts';
import { enableCompileCacheIn } from './services/state-folder/compile-cache.ts';
import { ownConversation } from './services/ownership/own-conversation.ts';
import { createLog, tellPerson } from './services/log/create-log.ts';
import { createServices } from './services/service-makers.ts';
import { openSecrets } from './services/secrets/open-secrets.ts';
import { loadConfirmedSettings } from './services/settings/confirm-settings.ts';
import { ensureStateFolders } from './services/state-folder/ensure-state-folders.ts';
import { resolveStateFolders, resolveUserHome } from './services/state-folder/resolve-state-folders.ts';
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
  const { folders, settings, confirmations, workspace, hands, services, secrets, storage, models, tools } = parts;
  return createHandrailFace({
    version: await readVersion(path.dirname(programFolder)),
    ...{ workspace, workspaces: parts.workspaces, settings, storage },
    turnServices: once(() => makeTurnServices(parts)),
    ...{ models, secrets, listTools: tools.list },
    rung: async () => rungText((await hands.shellFacts()).rung),
    examine: () =>
      examine({
        places: folders.roots,
        settings: parts,
        sandbox: hands.sandboxReport,
        modelChoices: models.choices,
        database: () => storage(),
        secrets: () => secrets.describe(),
      }),
    ...{ confirmations, hands, switchTool: parts.switchTool, releaseConversation: hands.closeConversation },
    async release() {
      await services.close();
      await (await storage.made())?.close();
    },
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
  const folders = resolveStateFolders(environment);
  const userHome = resolveUserHome(environment);
  const rules = { ...folders, userHome, stateRoots: folders.roots };
  const workspace = options.needsNoWorkspace === true ? undefined : await chooseWorkspace(options.workspace, rules);
  ensureStateFolders(folders);
  const { settings, ...more } = await loadConfirmedSettings(folders, options.onlyLooks);
  const { redactor, knownSecrets, ...secrets } = openSecrets(folders, environment);
  const own = { folders, settings, redactor, knownSecrets, userHome, environment, programFolder };
  const hands = createServices({ ...more, ...own });
  const registry = createRegistry();
  await discoverTools(path.join(programFolder, 'tools'), registry, options.tools);
  const { databaseFile: sqlitePath, backupFolder } = folders;
  const stored = { sqlitePath, backupFolder, redactor, beginAnew: tellPerson };
  const storage = once(() => openStorage({ databaseUrl: environment['HANDRAIL_DATABASE_URL'], ...stored }));
  const models = createModelSource({ settings, environment, readSecret: (name) => secrets.get(name) });
  const policy = createPolicy(settings, { homes: [userHome, folders.homeFolder], tools: registry.descriptors() });
  const gate = createGate(settings, policy, registry.getDescriptor);
  const tools = createToolSet(registry, gate, hands.shellFacts);
  const services = createServiceBinder({ ...hands.makers, toolCatalog: tools.catalog });
  const made = { secrets, redactor, storage, models, policy, gate, hands, services, registry, tools };
  return { folders, settings, ...more, workspace, workspaces: openWorkspaces(rules), ...made };
}

async function makeTurnServices(parts: Parts): Promise<TurnServices> {
  const { folders, hands, services, registry, policy, gate, tools } = parts;
  const storage = await parts.storage();
  const executor: ExecutorParts = {
    ...{ registry, services, redactor: parts.redactor },
    resolveAccess: createAccessResolver(hands),
    approvals: createApprovals(storage.grants, parts.settings.permissions),
    policy: () => policy,
    untrustedSince: (id) => storage.events.firstUntrusted(id),
    closedGate: gate,
    keepArtifact: hands.keepArtifact,
    log: createLog(folders.logFile, parts.redactor),
  };
  return {
    storage,
    now: () => new Date(),
    newId: randomUUID,
    own: (id) => ownConversation(storage.place, id),
    offeredTools: tools.offered,
    executeCalls: async (...call) => (await import('./executor/execute-calls.ts')).executeCalls(executor, ...call),
    polls: tools.polls,
    systemPrompt: async (conversation) => {
      const projectText = await readProjectText(hands.makers.files, conversation);
      const { workspace, kind } = conversation;
      return systemPrompt({ workspace, kind, shell: await tools.environment(), now: new Date(), projectText });
    },
  };
}

if (import.meta.main) {
  enableCompileCacheIn(process.env);
  const { startCommandLine } = await import('./cli/start.ts');
  process.exitCode = await startCommandLine(process.argv.slice(2), {
    version: await readVersion(path.dirname(programFolder)),
    open: createHandrail,
    serveMcp: async (options) => {
      const { serveMcp } = await import('./mcp/server/serve-mcp.ts');
      await serveMcp({ ...options, stdin: process.stdin, stdout: process.stdout });
    },
    serveWeb: async (options) =>
      (await import('./server/serve-web.ts')).serveWeb({ ...options, ...webPlaces(process.env, programFolder) }),
  });
}
