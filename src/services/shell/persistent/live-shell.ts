/** One running bash: gives it commands, hears how they ended, and knows what they have left running. */
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ToolFailure } from '../../../contract/failure.ts';
import { within } from '../end-tree.ts';
import { commandLine, sendSignal } from '../process-tree.ts';
import type { OutputSink } from '../running-command.ts';
import { isLineOfShell } from './bash-options.ts';
import { interruptRepeatedly } from './interrupt-shell.ts';
import type { OutputPair } from './output-pair.ts';
import { endLine, forkLines, runLines, type ScriptedCommand, startScript } from './shell-script.ts';
import type { ShellProcesses } from './shell-processes.ts';
import type { Bash, BashStart } from './start-bash.ts';
import { createStatusReader, type ShellRecord, type ShellState } from './status-reader.ts';

export type LiveShell = {
  readonly bash: Bash;
  /** Of a fresh shell, before anything was restored. */
  readonly baseline: ShellState;
  /** After what was restored; with a problem when its folder is gone. */
  readonly restored: { readonly problem: string; readonly state: ShellState } | undefined;
  readonly processes: ShellProcesses;
  isAlive(): boolean;
  /** What it said when it was about to end, if it could. */
  lastWords(): ShellState | undefined;
  run(command: LiveCommandRequest, sink: OutputSink): Promise<LiveCommand>;
  /** Ends it with everything in it. */
  end(): Promise<void>;
};

export type LiveCommandRequest = {
  readonly text: string;
  readonly folder: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  readonly isFork: boolean;
};

export type CommandRecord = Extract<ShellRecord, { kind: 'end' | 'fork' }>;

export type LiveCommand = {
  readonly mark: number;
  /** Resolves with how it ended; undefined when whatever would have told is gone. */
  readonly ended: Promise<CommandRecord | undefined>;
  drain(): void;
  /** Asks for the record once more: a signal may have made the shell drop the line. */
  remind(): void;
  /** What of it still lives; the shell itself never. */
  left(): readonly number[];
  signal(signal: NodeJS.Signals): void;
  /** Gives back its pipes. */
  close(): void;
};

/** Who waits for a copy of the shell can be killed by what runs in it: nobody tells of its end then. */
const lookForCopyMs = 250;
/** On a machine that is busy with other things. */
const latestReadyMs = 30_000;
const hurriedLookMs = 10;
const latestStartMs = 10_000;

/** Below the usual limit of 819,200 bytes, which is the most that may be set. */
const newMark = (): number => randomInt(100_000, 800_000);
const nonce = (): string => randomBytes(12).toString('hex');

export type LiveShellStart = Omit<BashStart, 'onStatus' | 'onSide'> & {
  readonly start: (start: BashStart) => Promise<Bash | undefined>;
  /** Bash that sets what an earlier shell had. Undefined: nothing. */
  readonly restoreText: string | undefined;
};

/** Rejects with ToolFailure. Undefined: there is no bash in this sandbox. */
export async function openLiveShell(request: LiveShellStart): Promise<LiveShell | undefined> {
  const shellNonce = nonce();
  const waiting = new Map<string, (record: CommandRecord) => void>();
  const seen: { pid?: number; ready?: ShellState; restored?: LiveShell['restored']; leave?: ShellState } = {};
  let isAlive = true;
  let onReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (onReady = resolve));
  const restores = request.restoreText !== undefined;

  const onRecord = (record: ShellRecord): void => {
    if (record.kind === 'end' || record.kind === 'fork') {
      waiting.get(`${record.kind} ${record.id} ${record.nonce}`)?.(record);
    } else if (record.nonce !== shellNonce) return;
    else if (record.kind === 'leave') seen.leave = record.state;
    else {
      if (record.kind === 'ready') {
        seen.ready = record.state;
        seen.pid = Number(record.problem);
      } else seen.restored = record;
      if (record.kind === 'restored' || !restores) onReady();
    }
  };
  const bash = await request.start({
    ...request,
    onStatus: createStatusReader((record) => record.kind !== 'fork' && record.kind !== 'leave' && onRecord(record)),
    onSide: createStatusReader((record) => (record.kind === 'fork' || record.kind === 'leave') && onRecord(record)),
  });
  if (bash === undefined) return undefined;
  const gone = bash.exited.then(() => {
    // What it said at the very end is there already.
    bash.folder.drainSide();
    isAlive = false;
  });
  if (request.restoreText !== undefined) bash.folder.writeText('state', request.restoreText);
  const mark = newMark();
  bash.addMark(mark);
  sendScript(bash, startScript({ io: bash.io, handle: bash.handle, nonce: shellNonce, mark, restores }));
  await within(Promise.race([ready, gone]), latestReadyMs);
  const baseline = seen.ready;
  if (!isAlive || baseline === undefined) throw await explainStart(bash);

  const processes = bash.processes(seen.pid ?? 0, mark);
  let nextId = 1;
  return {
    bash,
    baseline,
    restored: seen.restored,
    processes,
    isAlive: () => isAlive,
    lastWords: () => seen.leave,
    async run(command, sink) {
      const pair = await bash.folder.takePair();
      return startCommand({ bash, processes, gone, waiting, pair, id: nextId++, command, sink });
    },
    async end() {
      bash.target.destroy();
      await gone;
    },
  };
}

function sendScript(bash: Bash, script: string): void {
  bash.folder.writeText('rc', script);
  bash.send(`. '${bash.io.replaceAll("'", `'\\''`)}/rc'\n`);
}

async function explainStart(bash: Bash): Promise<Error> {
  bash.target.destroy();
  await bash.exited;
  const failure = await bash.startFailure();
  await bash.release();
  return failure ?? new ToolFailure('unavailable', 'The shell ended before it could run a command. Try again.');
}

type CommandStart = {
  readonly bash: Bash;
  readonly processes: ShellProcesses;
  readonly gone: Promise<void>;
  readonly waiting: Map<string, (record: CommandRecord) => void>;
  readonly pair: OutputPair;
  readonly id: number;
  readonly command: LiveCommandRequest;
  readonly sink: OutputSink;
};

function startCommand({ bash, processes, gone, waiting, pair, id, command, sink }: CommandStart): LiveCommand {
  const { isFork } = command;
  const scripted: ScriptedCommand = {
    io: bash.io,
    slot: pair.slot,
    id,
    nonce: nonce(),
    mark: newMark(),
    folder: command.folder,
    environment: command.environment,
  };
  const key = `${isFork ? 'fork' : 'end'} ${id} ${scripted.nonce}`;
  const left = (): readonly number[] => processes.startedBy(scripted.mark);
  const shells = (): readonly number[] => [
    ...(isFork || processes.shellPid === undefined ? [] : [processes.shellPid]),
    ...left().filter((pid) => isLineOfShell(commandLine(pid))),
  ];
  let isOver = false;
  let hurry: () => void = () => undefined;
  const hurried = new Promise<void>((resolve) => (hurry = resolve));
  const told = new Promise<CommandRecord>((resolve) => waiting.set(key, resolve));
  const ended = Promise.race([
    told,
    gone.then(() => undefined),
    ...(isFork ? [vanished(left, () => isOver, hurried)] : []),
  ]);
  void ended.then(() => (isOver = true));
  pair.setCommand(command.text);
  pair.attach(sink);
  processes.beginCommand();
  bash.addMark(scripted.mark);
  bash.send(isFork ? forkLines(scripted) : runLines(scripted));
  return {
    mark: scripted.mark,
    ended,
    drain: () => pair.drain(),
    remind() {
      if (!isFork) bash.send(endLine(scripted));
    },
    left,
    signal(signal) {
      hurry();
      // Given up is the command: an interactive bash goes on reading, and ignores SIGTERM.
      const times = signal === 'SIGINT' ? 1 : 3;
      if (signal !== 'SIGKILL') void interruptRepeatedly({ left, shells, isOver: () => isOver }, times);
      if (signal !== 'SIGINT') for (const pid of left()) sendSignal(pid, signal);
    },
    close() {
      isOver = true;
      waiting.delete(key);
      bash.folder.giveBack(pair);
    },
  };
}

/** Resolves when nothing of a copy is there any more; soon after `hurry`, which says that it was ended. */
async function vanished(
  left: () => readonly number[],
  isOver: () => boolean,
  hurry: Promise<void>,
): Promise<undefined> {
  const startedAt = performance.now();
  let lookMs = lookForCopyMs;
  let wasSeen = false;
  void hurry.then(() => (lookMs = hurriedLookMs));
  while (!isOver()) {
    await Promise.race([delay(lookMs, undefined, { ref: false }), ...(lookMs === lookForCopyMs ? [hurry] : [])]);
    const isThere = left().length > 0;
    // On a machine that is busy it may not have begun.
    if (!isThere && (wasSeen || lookMs === hurriedLookMs || performance.now() - startedAt > latestStartMs)) {
      // It may have told in this very moment.
      await delay(lookMs, undefined, { ref: false });
      if (left().length === 0) return undefined;
    }
    wasSeen ||= isThere;
  }
  return undefined;
}
