/** The terminals service: what calls may do with the terminals of their conversation, and what the user may with all of them. */
import { createHash } from 'node:crypto';
import { hasNetwork, isIsolating } from '../../base/rung-isolation.ts';
import type { ResolvedCommand } from '../../contract/access.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { CallScope, ConversationInfo, ServiceOwner } from '../../contract/services.ts';
import type { AllTerminals, Terminals, TerminalScreen, TypedState } from '../../contract/terminals.ts';
import { checkCommand } from '../shell/check-request.ts';
import { allowHosts } from '../companion-process/allow-hosts.ts';
import { type Asking, createKeeperCaller, type KeeperCallerOptions } from './call-keeper.ts';
import { type ListedTerminal, notFound, type TerminalKey } from './create-keeper.ts';
import type { CompanionSources } from '../companion-process/companion-place.ts';
import type { KeeperRequest } from './keeper-protocol.ts';

export type TerminalsOptions = Omit<KeeperCallerOptions, 'environment'> & {
  /** As they are now: a terminal keeps those it was opened with. */
  readonly sources: () => CompanionSources;
  /** Tests swap a guard here. */
  readonly isGranted?: typeof isGrantedCommand;
};

export type TerminalsOwner = ServiceOwner<Terminals> & {
  readonly all: AllTerminals;
  /** For the question about the next keys. Rejects with not_found. */
  typedState(conversation: ConversationInfo, name: string): Promise<TypedState>;
  closeConversation(id: string): Promise<void>;
};

const defaultSize = { columns: 80, rows: 24 };
const openWaitMs = 3_000;
const sendWaitMs = 2_000;

export function createTerminals(options: TerminalsOptions): TerminalsOwner {
  const caller = createKeeperCaller({ ...options, environment: options.sources().environment });
  const isGranted = options.isGranted ?? isGrantedCommand;
  /** Conversations that nobody can come back to once this program has ended. */
  const passing = new Set<string>();

  async function ask<T>(request: KeeperRequest & TerminalKey, by?: Asking): Promise<T> {
    const answer = await caller.ask(request, by);
    if (answer === undefined) throw notFound(request.name, []);
    // Both ends are ours and of the same version.
    return answer.value as T;
  }

  async function list(conversation?: string): Promise<readonly ListedTerminal[]> {
    const answer = await caller.ask({ op: 'list', ...(conversation === undefined ? {} : { conversation }) });
    return (answer?.value ?? []) as readonly ListedTerminal[];
  }

  async function open(
    place: { readonly conversation: string; readonly workspace: string },
    request: Parameters<Terminals['open']>[0],
    scope?: CallScope,
  ): Promise<TerminalScreen> {
    checkName(request.name);
    if (request.command !== undefined) checkCommand(request.command);
    const { columns, rows } = { ...defaultSize, ...definedOf(request) };
    const message: KeeperRequest = {
      op: 'open',
      ...place,
      name: request.name,
      ...(request.command === undefined ? {} : { command: request.command }),
      ...(request.workingDir === undefined ? {} : { workingDir: request.workingDir }),
      columns,
      rows,
      waitMs: request.waitMs ?? openWaitMs,
      sources: allowHosts(options.sources(), (await scope?.grantedHosts?.()) ?? []),
    };
    return (await caller.askOrStart(message, scope)) as TerminalScreen;
  }

  function forCall(scope: CallScope): Terminals {
    const conversation = conversationKey(scope.conversation);
    const { signal } = scope;
    // Whom a program has talked with is not kept, so its screen may be anybody's.
    const noteStranger = (name: string): void => {
      if (hasNetwork(options.sources().settings)) scope.noteStranger?.(`terminal ${name}`);
    };
    return {
      open(request) {
        noteStranger(request.name);
        const rung = options.sources().settings.sandbox.rung;
        if (
          isGranted(scope, (access) => isForOpening(access, request.command ?? 'bash', isIsolating(rung))) === undefined
        ) {
          throw notGranted();
        }
        if (conversation.startsWith(passingPrefix)) passing.add(conversation);
        return open({ conversation, workspace: scope.conversation.workspace }, request, scope);
      },
      send(name, input, { waitMs = sendWaitMs } = {}) {
        noteStranger(name);
        const access = isGranted(scope, (each) => each.typedInto?.terminal === name && each.command === input);
        if (access === undefined) throw notGranted();
        const count = access.typedInto?.count;
        return ask({ op: 'send', conversation, name, input, waitMs, ...(count === undefined ? {} : { count }) }, scope);
      },
      read(name, { historyLines = 0 } = {}) {
        noteStranger(name);
        return ask({ op: 'read', conversation, name, historyLines }, { signal });
      },
      resize: (name, size) => ask({ op: 'resize', conversation, name, ...size }, { signal }),
      list: () => list(conversation),
      close: (name) => ask({ op: 'close', conversation, name }, { signal }),
    };
  }

  const closeAll = async (conversation?: string): Promise<number> => {
    const answer = await caller.ask({ op: 'close-all', ...(conversation === undefined ? {} : { conversation }) });
    return typeof answer?.value === 'number' ? answer.value : 0;
  };

  return {
    forCall,
    typedState: (conversation, name) => ask({ op: 'typed-state', conversation: conversationKey(conversation), name }),
    closeConversation: async (id) => void (await closeAll(id)),
    all: {
      list: () => list(),
      open,
      async attach(conversation, name) {
        const view = await caller.attach({ conversation, name });
        if (view === undefined) throw notFound(name, []);
        return view;
      },
      close: async (conversation, name) => void (await ask({ op: 'close', conversation, name })),
      stopAll: () => closeAll(),
    },
    async close() {
      // The others go on: the next program finds them.
      await Promise.all([...passing].map(closeAll));
    },
  };
}

/** The conversation of one MCP connection, named anew for each (serve-mcp.ts). */
const passingPrefix = 'mcp-';

/** Terminals of calls without a conversation would be lost to everybody: those of one workspace share a list instead. */
function conversationKey({ id, workspace, isThrowaway }: ConversationInfo): string {
  return isThrowaway ? `_${createHash('sha256').update(workspace).digest('hex').slice(0, 16)}` : id;
}

function checkName(name: string): void {
  if (/^[\w.+-][\w.+ -]{0,39}$/.test(name)) return;
  throw new ToolFailure(
    'invalid_input',
    'A terminal needs a name of at most 40 letters, digits, blanks and . _ + -, for example "build".',
  );
}

function definedOf({ columns, rows }: { columns?: number; rows?: number }): { columns?: number; rows?: number } {
  return { ...(columns === undefined ? {} : { columns }), ...(rows === undefined ? {} : { rows }) };
}

/** What was decided on must be what runs or is typed, and where. Gives back the access that allows it. */
function isGrantedCommand(scope: CallScope, fits: (access: ResolvedCommand) => boolean): ResolvedCommand | undefined {
  return scope.granted.filter((access) => access.kind === 'command').find(fits);
}

function isForOpening(access: ResolvedCommand, command: string, isSandboxed: boolean): boolean {
  return access.typedInto === undefined && access.command === command && access.isSandboxed === isSandboxed;
}

const notGranted = (): ToolFailure =>
  new ToolFailure('denied', 'This was not what the call was allowed to run or type, so it was not done.');
