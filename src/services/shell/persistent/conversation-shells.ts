/** All conversations' shells: one each, and no more idle ones than are worth their memory. */
import { join } from 'node:path';
import type { Redactor } from '../../../contract/redaction.ts';
import type { ConversationInfo, Rung } from '../../../contract/services.ts';
import type { OpenShell, ShellState } from '../../../contract/shell-state.ts';
import type { Sandbox } from '../../sandbox/create-sandbox.ts';
import type { PipePool } from '../pipe-pool.ts';
import type { OutputSink, PrintingCommand } from '../running-command.ts';
import { type ConversationShell, createConversationShell, type ShellCommand } from './conversation-shell.ts';
import { openLiveShell } from './live-shell.ts';
import { asText, functionsOf, trapsOf } from './shell-memory.ts';
import { createSavedMemory } from './saved-memory.ts';
import { type BashStart, startBash } from './start-bash.ts';

export type ShellsOptions = {
  readonly sandbox: Sandbox;
  readonly pool: PipePool;
  readonly environment: NodeJS.ProcessEnv;
  /** Where directories and variables are kept for later; undefined: nowhere. */
  readonly folder: string | undefined;
  /** Takes secrets out of them. Omitted: they are kept as they are. */
  readonly redactor?: Redactor;
  readonly shadowed: () => readonly number[];
  readonly idle?: { readonly maxShells: number; readonly maxMs: number };
  readonly maxPairs?: number;
  /** Tests swap a guard here. */
  readonly start?: typeof startBash;
};

export type ConversationShells = {
  /** Undefined: there is no bash in this sandbox. */
  start(
    conversation: ConversationInfo,
    command: ShellCommand,
    output: { readonly sink: OutputSink; readonly signal: AbortSignal },
  ): Promise<PrintingCommand | undefined>;
  /** What the conversation's shell does differently from a fresh one. */
  changes(conversationId: string): ShellChanges;
  /** The same with where it stands and where its root can be looked at. */
  state(conversationId: string): ShellState;
  /** Something that a command of the conversation has started goes on behind it. */
  hasBackground(conversationId: string): boolean;
  /** Those that live. */
  list(): readonly OpenShell[];
  closeConversation(conversationId: string, options?: { readonly forget?: boolean }): Promise<void>;
  closeAll(): Promise<void>;
};

export type ShellChanges = {
  readonly variables: readonly string[];
  readonly functions: readonly string[];
  readonly aliases: readonly string[];
  readonly traps: readonly string[];
};

type Kept = {
  readonly shell: ConversationShell;
  readonly workspace: string;
  usedAtMs: number;
  timer?: NodeJS.Timeout;
};

const defaultIdle = { maxShells: 8, maxMs: 30 * 60_000 };
const defaultMaxPairs = 64;

export function createConversationShells(options: ShellsOptions): ConversationShells {
  const { sandbox } = options;
  const idle = options.idle ?? defaultIdle;
  const saved = options.folder === undefined ? undefined : createSavedMemory(options.folder, options.redactor);
  const shells = new Map<string, Kept>();

  function create(conversation: ConversationInfo, rung: Rung): ConversationShell {
    const start: Omit<BashStart, 'onStatus' | 'onSide'> = {
      sandbox,
      pool: options.pool,
      rung,
      conversationId: conversation.id,
      workspace: conversation.workspace,
      environment: options.environment,
      shadowed: options.shadowed(),
      ioParent: options.folder === undefined ? undefined : join(options.folder, '.io'),
      maxPairs: options.maxPairs ?? defaultMaxPairs,
    };
    return createConversationShell({
      id: conversation.id,
      workspace: conversation.workspace,
      rung,
      saved: conversation.isThrowaway ? undefined : saved,
      open: (restoreText) => openLiveShell({ ...start, restoreText, start: options.start ?? startBash }),
    });
  }

  async function shellFor(conversation: ConversationInfo): Promise<ConversationShell> {
    const rung = sandbox.rung();
    const known = shells.get(conversation.id);
    if (known !== undefined && known.shell.rung === rung) return known.shell;
    if (known !== undefined) await known.shell.end('');
    const shell = create(conversation, rung);
    const { id, workspace } = conversation;
    shells.set(id, { shell, workspace, usedAtMs: performance.now() });
    return shell;
  }

  /** Those that were not used for longest go first; one that works stays, whatever the number. */
  async function trim(): Promise<void> {
    const live = [...shells.values()].filter(({ shell }) => shell.isLive());
    const spare = live
      .filter(({ shell }) => !shell.isBusy())
      .toSorted((first, second) => first.usedAtMs - second.usedAtMs)
      .slice(0, Math.max(0, live.length - idle.maxShells));
    await Promise.all(spare.map(({ shell }) => shell.end(idleReason)));
  }

  function touch(id: string): void {
    const entry = shells.get(id);
    if (entry === undefined) return;
    entry.usedAtMs = performance.now();
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => {
      if (!entry.shell.isBusy()) void entry.shell.end(idleReason);
    }, idle.maxMs).unref();
  }

  async function close(id: string, why: string): Promise<void> {
    const entry = shells.get(id);
    clearTimeout(entry?.timer);
    await entry?.shell.end(why);
  }

  function changes(conversationId: string): ShellChanges {
    const memory = memoryOf(conversationId);
    return {
      variables: memory?.influences ?? [],
      functions: memory === undefined ? [] : functionsOf(memory),
      aliases: memory?.aliases ?? [],
      traps: memory === undefined ? [] : trapsOf(memory),
    };
  }

  const memoryOf = (id: string) => shells.get(id)?.shell.memory() ?? saved?.read(id, sandbox.rung());

  return {
    changes,
    state(conversationId) {
      const cwd = memoryOf(conversationId)?.cwd;
      const pid = shells.get(conversationId)?.shell.pid();
      return {
        ...changes(conversationId),
        cwd: cwd === undefined ? undefined : asText(cwd),
        root: pid === undefined || sandbox.rung() === 'host' ? undefined : `/proc/${pid}/root`,
      };
    },
    async start(conversation, command, { sink, signal }) {
      const shell = await shellFor(conversation);
      const running = await shell.start(command, sink, signal);
      touch(conversation.id);
      if (running === undefined) return undefined;
      await trim();
      return {
        ...running,
        async close() {
          await running.close();
          touch(conversation.id);
          await trim();
        },
      };
    },
    hasBackground(conversationId) {
      const shell = shells.get(conversationId)?.shell;
      return shell !== undefined && (shell.isBusy() || shell.hasBackground());
    },
    list: () =>
      [...shells]
        .filter(([, { shell }]) => shell.isLive())
        .map(([conversation, { shell, workspace }]) => ({
          ...{ conversation, workspace, rung: shell.rung },
          isBusy: shell.isBusy(),
          hasBackground: shell.hasBackground(),
        })),
    async closeConversation(conversationId, { forget = false } = {}) {
      await close(conversationId, 'The shell of this conversation was closed and started anew.');
      if (!forget) return;
      shells.delete(conversationId);
      saved?.forget(conversationId);
    },
    async closeAll() {
      await Promise.all([...shells.keys()].map((id) => close(id, 'All shells were closed; this one is new.')));
    },
  };
}

const idleReason = 'The shell of this conversation had been idle and was closed; this one is new.';
