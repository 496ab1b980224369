/** A real terminals service and its real keeper, with a workspace and a state folder of their own that are gone afterwards. */
import { chownSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import type { ResolvedCommand } from '../../src/contract/access.ts';
import type { CallScope, ConversationInfo, Rung } from '../../src/contract/services.ts';
import type { Terminals, TerminalScreen } from '../../src/contract/terminals.ts';
import { hostEnvironment } from '../../src/services/sandbox/sandbox-environment.ts';
import type { Settings } from '../../src/contract/settings.ts';
import { defaultSettings } from '../../src/services/settings/default-settings.ts';
import { resolveStateFolders } from '../../src/services/state-folder/resolve-state-folders.ts';
import {
  createTerminals,
  type TerminalsOptions,
  type TerminalsOwner,
} from '../../src/services/terminals/create-terminals.ts';
import { waitForNone } from './leftovers.ts';

const source = path.join(import.meta.dirname, '../../src');

export type TerminalWorld = {
  readonly base: string;
  readonly workspace: string;
  readonly stateFolder: string;
  readonly owner: TerminalsOwner;
  /** Another program over the same state folder. */
  another(options?: Partial<TerminalsOptions>): TerminalsOwner;
  /** As calls of one conversation that were granted everything they open and type. */
  forConversation(id?: string, owner?: TerminalsOwner, more?: Partial<CallScope>): Terminals;
  /** Reads the screen until it shows what is looked for. Rejects with the screen when it does not come. */
  until(name: string, shows: RegExp | ((screen: TerminalScreen) => boolean), id?: string): Promise<TerminalScreen>;
  /** Resolves with what is left of it, the keeper too; nothing should be. */
  close(): Promise<readonly string[]>;
};

export function openTerminalWorld(
  options: {
    readonly rung?: Rung;
    readonly owner?: number;
    readonly base?: string;
    readonly network?: Partial<Settings['sandbox']['network']>;
    readonly allowPrivate?: readonly string[];
  } = {},
): TerminalWorld {
  const base = options.base ?? realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-terminals-')));
  const workspace = path.join(base, 'workspace');
  const stateFolder = path.join(base, 'state');
  mkdirSync(workspace);
  mkdirSync(stateFolder, { mode: 0o700 });
  if (options.owner !== undefined) chownSync(workspace, options.owner, options.owner);
  const rung = options.rung ?? 'namespaces';
  const network = { ...defaultSettings.sandbox.network, ...options.network };
  const sandbox = { ...defaultSettings.sandbox, rung, network };
  const settings = { ...defaultSettings, sandbox, net: { allowPrivate: options.allowPrivate ?? [] } };
  const folders = resolveStateFolders({ HANDRAIL_HOME: stateFolder });
  const environment = { ...hostEnvironment(process.env), HANDRAIL_TEST_WORLD: base };
  const another = (more: Partial<TerminalsOptions> = {}): TerminalsOwner =>
    createTerminals({
      runtimeFolder: folders.runtime,
      programFile: path.join(source, 'services/terminals/terminal-keeper.process.ts'),
      sources: () => ({ folders, settings, userHome: homedir(), programFolder: source, environment }),
      ...more,
    });
  const owner = another();

  const isSandboxed = rung !== 'host';
  const forConversation: TerminalWorld['forConversation'] = (id = 'c1', from = owner, more = {}) =>
    grantEverything(from, { id, workspace, isThrowaway: false }, isSandboxed, more);

  return {
    ...{ base, workspace, stateFolder, owner, another, forConversation },
    async until(name, shows, id = 'c1') {
      const fits =
        typeof shows === 'function' ? shows : (screen: TerminalScreen) => shows.test(screen.lines.join('\n'));
      const deadline = performance.now() + 15_000;
      for (;;) {
        const screen = await forConversation(id).read(name);
        if (fits(screen)) return screen;
        if (performance.now() > deadline) throw new Error(`It never came:\n${JSON.stringify(screen, undefined, 1)}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async close() {
      await owner.all.stopAll();
      await owner.close();
      const left = await waitForNone(base, 10_000);
      await rm(base, { recursive: true, force: true, maxRetries: 5 });
      return left.map((each) => each.text);
    },
  };
}

/** A face as the executor would give it for a call that may do just this. */
function grantEverything(
  owner: TerminalsOwner,
  conversation: ConversationInfo,
  isSandboxed: boolean,
  more: Partial<CallScope>,
): Terminals {
  const forCall = (access: Partial<ResolvedCommand>): Terminals => {
    const granted: ResolvedCommand = {
      ...{ kind: 'command', command: '', cwd: conversation.workspace, isDangerous: false, isSandboxed },
      ...{ heads: [], findings: [] },
      ...access,
    };
    const { signal } = new AbortController();
    return owner.forCall({ callId: 'call', conversation, granted: [granted], signal, ...more });
  };
  return {
    ...forCall({}),
    open: (request) => forCall({ command: request.command ?? 'bash' }).open(request),
    async send(name, input, options) {
      const { count } = await owner.typedState(conversation, name);
      return forCall({ command: input, typedInto: { terminal: name, count } }).send(name, input, options);
    },
  };
}
