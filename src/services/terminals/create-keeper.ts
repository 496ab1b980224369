/** Holds the terminals of a state folder: opened and found by conversation and name, bounded in number and in time. */
import { randomUUID } from 'node:crypto';
import { isIsolating } from '../../base/rung-isolation.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { TerminalScreen, TypedState } from '../../contract/terminals.ts';
import type { Person } from './ask-person.ts';
import type { Viewer } from './follow-output.ts';
import { type LiveTerminal, openLiveTerminal } from './live-terminal.ts';
import type { CompanionSources } from '../companion-process/companion-place.ts';
import type { OpenRequest } from './keeper-protocol.ts';
import type { StartedTerminal, TerminalStart } from './start-terminal.ts';

export type KeeperLimits = {
  readonly perConversation: number;
  readonly inAll: number;
  /** Without anybody looking at it or typing into it. */
  readonly idleMs: number;
  /** Ended, and nobody has heard of it yet. */
  readonly endedMs: number;
  /** Ended, and somebody has. */
  readonly toldMs: number;
};

export const keeperLimits: KeeperLimits = {
  perConversation: 10,
  inAll: 32,
  idleMs: 60 * 60_000,
  endedMs: 10 * 60_000,
  toldMs: 10_000,
};

export type KeeperOptions = {
  readonly starterFor: (sources: CompanionSources) => (start: TerminalStart) => Promise<StartedTerminal>;
  readonly limits?: KeeperLimits;
  /** Called whenever one terminal less is there. */
  readonly onChange?: () => void;
};

/** A full-screen program draws itself anew; a shell says nothing. */
const resizeWaitMs = 1_000;

type Held = {
  readonly conversation: string;
  readonly workspace: string;
  readonly terminal: LiveTerminal;
  readonly isSandboxed: boolean;
  lastUsedAt: number;
  endIsTold: boolean;
  viewers: number;
};

export type Keeper = {
  /** `person`: whom the terminal's program may ask about new hosts until this resolves. */
  open(request: OpenRequest, person?: Person): Promise<TerminalScreen>;
  send(
    key: TerminalKey,
    input: string,
    options: { readonly waitMs: number; readonly count?: number },
    person?: Person,
  ): Promise<TerminalScreen>;
  read(key: TerminalKey, historyLines: number): Promise<TerminalScreen>;
  resize(key: TerminalKey, columns: number, rows: number): Promise<TerminalScreen>;
  typedState(key: TerminalKey): TypedState;
  list(conversation?: string): Promise<readonly ListedTerminal[]>;
  attach(
    key: TerminalKey,
    viewer: Viewer,
  ): { readonly replay: Buffer; detach(): void; readonly terminal: LiveTerminal };
  close(key: TerminalKey): Promise<readonly string[]>;
  /** Resolves with how many there were. */
  closeAll(conversation?: string): Promise<number>;
  /** Opened or being opened. */
  readonly count: number;
  /** Closes what nobody has used for too long. */
  sweep(): Promise<void>;
};

export type TerminalKey = { readonly conversation: string; readonly name: string };
export type ListedTerminal = TerminalScreen & { readonly conversation: string; readonly workspace: string };

export function createKeeper(options: KeeperOptions): Keeper {
  const limits = options.limits ?? keeperLimits;
  const held = new Map<string, Held>();
  const opening = new Set<string>();

  const idOf = ({ conversation, name }: TerminalKey): string => JSON.stringify([conversation, name]);

  function need(key: TerminalKey): Held {
    const found = held.get(idOf(key));
    if (found === undefined) throw notFound(key.name, namesOf(key.conversation));
    found.lastUsedAt = performance.now();
    return found;
  }

  const ofConversation = (conversation: string): readonly Held[] =>
    [...held.values()].filter((each) => each.conversation === conversation);
  const namesOf = (conversation: string): readonly string[] =>
    ofConversation(conversation).map(({ terminal }) => terminal.name);

  async function drop(key: TerminalKey): Promise<readonly string[]> {
    const found = held.get(idOf(key));
    if (found === undefined) return [];
    await found.terminal.close();
    const notes = await found.terminal.takeNotes();
    held.delete(idOf(key));
    options.onChange?.();
    return notes;
  }

  async function show(each: Held, historyLines = 0): Promise<TerminalScreen> {
    const screen = await each.terminal.look(historyLines);
    if (!screen.isAlive && !each.endIsTold) {
      each.endIsTold = true;
      each.lastUsedAt = performance.now();
    }
    const notes = await each.terminal.takeNotes();
    return notes.length === 0 ? screen : { ...screen, notes };
  }

  async function open(request: OpenRequest, person?: Person): Promise<TerminalScreen> {
    const { name, conversation, workspace } = request;
    const key = { conversation, name };
    const id = idOf(key);
    const before = held.get(id);
    if (before?.terminal.isAlive === true || opening.has(id)) {
      throw new ToolFailure(
        'conflict',
        `The terminal "${name}" is open already. Use it, close it, or take another name.`,
      );
    }
    // One that has ended makes room for the next of its name.
    opening.add(id);
    try {
      await drop(key);
      await makeRoom(conversation);
      const terminal = await openLiveTerminal({
        ...request,
        // Calls without a conversation share a list of terminals, and nothing else.
        ...(conversation.startsWith('_')
          ? { networkOf: `${conversation}-${randomUUID()}` }
          : { conversationId: conversation, networkOf: conversation }),
        ...(person === undefined ? {} : { opener: person.asker }),
        start: options.starterFor(request.sources),
      });
      const isSandboxed = isIsolating(request.sources.settings.sandbox.rung);
      const entry: Held = {
        isSandboxed,
        conversation,
        workspace,
        terminal,
        lastUsedAt: performance.now(),
        endIsTold: false,
        viewers: 0,
      };
      held.set(id, entry);
      await restWith(terminal, person, request.waitMs);
      return await show(entry);
    } finally {
      opening.delete(id);
      options.onChange?.();
    }
  }

  async function makeRoom(conversation: string): Promise<void> {
    const isFull = (): boolean =>
      held.size + opening.size > limits.inAll || ofConversation(conversation).length >= limits.perConversation;
    for (const each of [...held.values()]) {
      if (!isFull()) break;
      if (!each.terminal.isAlive) await drop({ conversation: each.conversation, name: each.terminal.name });
    }
    if (!isFull()) return;
    const names = namesOf(conversation);
    throw new ToolFailure(
      'busy',
      names.length >= limits.perConversation
        ? `${names.length} terminals of this conversation are open, which is the most (${names.join(', ')}). Close one.`
        : `${held.size} terminals are open in all conversations, which is the most. Close one, or wait until an idle one is closed.`,
    );
  }

  return {
    open,
    async send(key, input, { waitMs, count }, person) {
      const each = need(key);
      if (!each.terminal.isAlive) {
        const { exitCode } = await show(each);
        const how = exitCode === null ? '' : ` with exit code ${exitCode}`;
        throw new ToolFailure(
          'conflict',
          `The program of "${key.name}" has ended${how}, so nothing was typed. Open it again.`,
        );
      }
      if (count !== undefined && count !== each.terminal.typed.count) {
        throw new ToolFailure(
          'conflict',
          `Something else was typed into "${key.name}" meanwhile. Read its screen, then repeat this.`,
        );
      }
      await restWith(each.terminal, person, waitMs, () => each.terminal.type(input));
      return show(each);
    },
    read: (key, historyLines) => Promise.resolve(show(need(key), historyLines)),
    async resize(key, columns, rows) {
      const each = need(key);
      each.terminal.resize(columns, rows);
      await each.terminal.rest(resizeWaitMs);
      return show(each);
    },
    typedState(key) {
      const { terminal, isSandboxed } = need(key);
      return {
        isSandboxed,
        command: terminal.command,
        pieces: terminal.typed.pieces,
        count: terminal.typed.count,
        isAtShell: terminal.isShellInFront(),
      };
    },
    list: (conversation) => {
      const listed = conversation === undefined ? [...held.values()] : ofConversation(conversation);
      return Promise.all(
        listed.map(async (each) => ({
          ...(await each.terminal.look()),
          conversation: each.conversation,
          workspace: each.workspace,
        })),
      );
    },
    attach(key, viewer) {
      const each = need(key);
      each.viewers += 1;
      const { replay, detach } = each.terminal.attach(viewer);
      return {
        replay,
        terminal: each.terminal,
        detach() {
          each.viewers -= 1;
          each.lastUsedAt = performance.now();
          detach();
        },
      };
    },
    async close(key) {
      need(key);
      return drop(key);
    },
    async closeAll(conversation) {
      const doomed = conversation === undefined ? [...held.values()] : ofConversation(conversation);
      await Promise.all(doomed.map((each) => drop({ conversation: each.conversation, name: each.terminal.name })));
      return doomed.length;
    },
    get count() {
      return held.size + opening.size;
    },
    async sweep() {
      for (const each of [...held.values()]) {
        if (each.viewers > 0 && each.terminal.isAlive) continue;
        const keptMs = each.terminal.isAlive ? limits.idleMs : each.endIsTold ? limits.toldMs : limits.endedMs;
        if (performance.now() - each.lastUsedAt > keptMs)
          await drop({ conversation: each.conversation, name: each.terminal.name });
      }
    },
  };
}

/** While a question is open the screen stands still and says nothing: the wait begins again with the answer. */
async function restWith(
  terminal: LiveTerminal,
  person: Person | undefined,
  waitMs: number,
  begin?: () => Promise<void>,
): Promise<void> {
  const leave = person === undefined ? undefined : terminal.attend(person.asker);
  try {
    await begin?.();
    do await terminal.rest(waitMs);
    while ((await person?.answered()) === true);
  } finally {
    leave?.();
  }
}

export function notFound(name: string, known: readonly string[]): ToolFailure {
  const there = known.length === 0 ? 'None is open in this conversation.' : `Open: ${known.join(', ')}.`;
  return new ToolFailure(
    'not_found',
    `There is no terminal "${name}"; it may have ended. ${there} Open it with {"action":"open","name":"${name}"}.`,
  );
}
