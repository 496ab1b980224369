/** The shell of one conversation through all its lives: started when needed, remembered when it ends, restored in the next. */
import { statSync } from 'node:fs';
import type { Rung } from '../../../contract/services.ts';
import { isConnectionKeeper } from '../../ssh/connection-keepers.ts';
import type { OutputSink, PrintingCommand } from '../running-command.ts';
import type { LiveShell } from './live-shell.ts';
import { runInShell } from './run-in-shell.ts';
import type { SavedMemory } from './saved-memory.ts';
import { asText, isFreshShell, keptSentence, lostSentence, rememberShell, type ShellMemory } from './shell-memory.ts';
import { restoreScript } from './shell-script.ts';
import type { ShellState } from './status-reader.ts';
import { createTurns } from './take-turns.ts';

export type ShellCommand = {
  readonly text: string;
  readonly workingDir: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** Beside others, in a copy of the shell. */
  readonly isFork: boolean;
};

export type ConversationShell = {
  readonly rung: Rung;
  /** Undefined: there is no bash in this sandbox, and commands run one by one. */
  start(command: ShellCommand, sink: OutputSink, signal: AbortSignal): Promise<PrintingCommand | undefined>;
  isLive(): boolean;
  isBusy(): boolean;
  hasBackground(): boolean;
  memory(): ShellMemory | undefined;
  /** As seen from out here; undefined while there is none, or where its processes cannot be seen. */
  pid(): number | undefined;
  /** Ends it, kept is what the next one gets. `why`: what that one says of it. */
  end(why: string): Promise<void>;
};

export type ConversationShellParts = {
  readonly id: string;
  readonly workspace: string;
  readonly rung: Rung;
  readonly open: (restoreText: string | undefined) => Promise<LiveShell | undefined>;
  readonly saved: SavedMemory | undefined;
};

/** What `runInShell` tells of the shell that it ran in. */
export type ShellKeeper = {
  readonly workspace: string;
  /** As the shell described itself; `false` when that could not be saved. */
  remember(live: LiveShell, state: ShellState): boolean;
  /** The shell has ended: says once what of it is kept and lost. `why` is a sentence. */
  bury(live: LiveShell, why: string): Promise<readonly string[]>;
  memory(): ShellMemory | undefined;
};

export function createConversationShell(parts: ConversationShellParts): ConversationShell {
  const { id, workspace, rung, saved } = parts;
  const turns = createTurns();
  const copies = new Set<PrintingCommand>();
  let live: LiveShell | undefined;
  let folderId = '';
  let memory: ShellMemory | undefined;
  let lastState: ShellState | undefined;
  /** What the next shell has to say of the one before; undefined when it was said already. */
  let why: string | undefined = 'The shell of this conversation was started anew.';

  const keeper: ShellKeeper = {
    workspace,
    memory: () => memory,
    remember(shell, state) {
      const background = shell.isAlive()
        ? shell.processes.others().filter((pid) => !isConnectionKeeper(pid)).length
        : 0;
      if (lastState !== undefined && isSame(lastState, state) && memory?.background === background) return true;
      lastState = state;
      const next = rememberShell(state, shell.baseline, background);
      const isNew = memory === undefined && isFreshShell(next, workspace);
      memory = next;
      return isNew || saved === undefined || saved.write(id, rung, next);
    },
    async bury(shell, reason) {
      if (live !== shell) return [];
      live = undefined;
      const lastWords = shell.lastWords();
      // The processes of now are the ones that are lost.
      const background = memory?.background ?? 0;
      const isCurrent = lastWords !== undefined && keeper.remember(shell, lastWords);
      const notes = await shell.bash.release();
      why = undefined;
      // Where they were ended one by one they are named already.
      const lost =
        memory === undefined ? '' : lostSentence({ ...memory, background: notes.length === 0 ? background : 0 });
      const kept = memory === undefined ? '' : keptSentence(memory, workspace);
      const older = isCurrent ? '' : ' What this command itself changed of the directory and of variables is not kept.';
      return [`${reason} The next command gets a new one.${kept}${lost}${older}`, ...notes];
    },
  };

  async function ensureLive(notes: string[]): Promise<LiveShell | undefined> {
    if (live !== undefined && live.isAlive() && folderId === idOf(workspace)) return live;
    if (live !== undefined) {
      const hasMoved = live.isAlive();
      if (hasMoved) await live.end();
      await keeper.bury(live, '');
      why = hasMoved
        ? 'The workspace folder was replaced, so the shell of this conversation was started anew.'
        : 'The shell of this conversation had ended and was started anew.';
    }
    memory ??= saved?.read(id, rung);
    const isFresh = memory === undefined || isFreshShell(memory, workspace);
    const opened = await parts.open(memory === undefined || isFresh ? undefined : restoreText(memory));
    if (opened === undefined) return undefined;
    folderId = idOf(workspace);
    live = opened;
    lastState = undefined;
    notes.push(...describeStart(opened));
    why = undefined;
    return opened;
  }

  function describeStart(opened: LiveShell): readonly string[] {
    if (memory === undefined) return [];
    const isGone = opened.restored?.problem === 'folder';
    const gone = isGone
      ? [`Its directory ${asText(memory.cwd)} does not exist any more: commands start in the workspace.`]
      : [];
    const known = { ...memory, ...(isGone ? { cwd: workspace } : {}) };
    const said = `${keptSentence(known, workspace)}${lostSentence(known)}`;
    memory = { ...known, background: 0, functions: [], aliases: [], variables: [], tooLarge: [] };
    return why === undefined || (said === '' && !isGone) ? gone : [`${why}${said}`, ...gone];
  }

  return {
    rung,
    isLive: () => live?.isAlive() === true,
    isBusy: () => turns.isBusy() || copies.size > 0,
    hasBackground: () => live?.isAlive() === true && live.processes.others().some((pid) => !isConnectionKeeper(pid)),
    memory: () => memory ?? saved?.read(id, rung),
    pid: () => (live?.isAlive() === true ? live.processes.shellPid : undefined),
    async start(command, sink, signal) {
      const endTurn = await turns.take(signal);
      try {
        const notes: string[] = [];
        const shell = await ensureLive(notes);
        if (shell === undefined) {
          endTurn();
          return undefined;
        }
        const running = await runInShell({ shell, command, sink, keeper, notes });
        if (command.isFork) {
          copies.add(running);
          endTurn();
        }
        return {
          ...running,
          async close() {
            await running.close();
            copies.delete(running);
            endTurn();
          },
        };
      } catch (error) {
        endTurn();
        throw error;
      }
    },
    async end(reason) {
      const shell = live;
      if (shell === undefined) return;
      await shell.end();
      await keeper.bury(shell, '');
      why = reason;
    },
  };
}

function restoreText(memory: ShellMemory): string {
  const names = memory.unset.filter((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  return restoreScript(
    memory.exports.map(({ text }) => text),
    names,
    memory.cwd,
  );
}

/** A folder that was removed and made again is another one, and the shell stands in the one that is gone. */
function idOf(folder: string): string {
  const info = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return info === undefined ? 'gone' : `${info.dev}:${info.ino}`;
}

function isSame(first: ShellState, second: ShellState): boolean {
  return (
    first.cwd === second.cwd &&
    first.exports === second.exports &&
    first.watched === second.watched &&
    first.traps === second.traps &&
    first.functions.join('\n') === second.functions.join('\n') &&
    first.aliases.join('\n') === second.aliases.join('\n') &&
    first.variables.join('\n') === second.variables.join('\n')
  );
}
