/** One terminal that is open: its program, its screen, what it printed last, and who looks at it. */
import { setTimeout as delay } from 'node:timers/promises';
import { readTyped, type Typed } from '../../base/typed-keys.ts';
import type { TerminalScreen } from '../../contract/terminals.ts';
import { isShellInFront, waitsForInput } from './front-process.ts';
import { bytesOf } from './key-bytes.ts';
import { openPseudoTerminal, type PseudoTerminal } from './pseudo-terminal.ts';
import { createScreenModel, type ScreenModel } from './screen-model.ts';
import type { StartedTerminal, TerminalStart } from './start-terminal.ts';
import { createTranscript } from './transcript.ts';
import { createTypedLog, type TypedLog } from './typed-log.ts';

export type LiveTerminalOptions = {
  readonly name: string;
  readonly command: string | undefined;
  readonly workspace: string;
  readonly workingDir: string | undefined;
  readonly columns: number;
  readonly rows: number;
  readonly start: (start: TerminalStart) => Promise<StartedTerminal>;
};

/** A person's view of it: bytes as they come. */
export type Viewer = {
  onData(bytes: Buffer): void;
  onExit(exitCode: number | null): void;
  /** True while it cannot take more: the program has to wait. */
  isSlow(): boolean;
};

export type LiveTerminal = {
  readonly name: string;
  /** `bash` when none was given. */
  readonly command: string;
  readonly cwd: string;
  look(historyLines?: number): Promise<TerminalScreen>;
  /** As callers write it (typed-keys). */
  type(input: string): Promise<void>;
  /** As a terminal sends it. */
  write(bytes: Buffer): void;
  /** Resolves when it has shown something and then stood still, when it has ended, or after `maxMs`. */
  rest(maxMs: number): Promise<void>;
  resize(columns: number, rows: number): void;
  readonly typed: TypedLog;
  isShellInFront(): boolean;
  /** What was printed last, and from now on everything. Call `flow` when a slow viewer can take more. */
  attach(viewer: Viewer): { readonly replay: Buffer; detach(): void };
  flow(): void;
  readonly isAlive: boolean;
  /** Resolves when the program has ended and everything it printed is on the screen. */
  readonly ended: Promise<void>;
  /** Resolves when nothing of it is left. */
  close(): Promise<void>;
};

const transcriptBytes = 256 * 1024;
/** Printed and not yet on the screen. */
const maxBehindBytes = 512 * 1024;
const quietMs = 120;
/** When nothing at all is shown. */
const silentMs = 400;
const tickMs = 20;
const signalWaitMs = 500;
/** A process that left the sandbox's tree cannot hold the terminal; on the machine it might. */
const drainMs = 500;

/** Rejects with ToolFailure when the program did not start. Nothing is left then. */
export async function openLiveTerminal(options: LiveTerminalOptions): Promise<LiveTerminal> {
  const screen = await createScreenModel(options.columns, options.rows);
  let pseudo: PseudoTerminal | undefined;
  try {
    pseudo = openPseudoTerminal(options.columns, options.rows);
    const { command, workspace, workingDir } = options;
    // Read from the beginning: what cannot be written stops a program.
    const flow = followOutput(pseudo, screen);
    const started = await options.start({ pseudo, command, workspace, workingDir });
    const terminal = makeTerminal({ options, pseudo, screen, started, flow });
    await started
      .untilRunning(() => flow.transcript.read().toString())
      .catch(async (error: unknown) => {
        await terminal.close();
        throw error;
      });
    return terminal;
  } catch (error) {
    pseudo?.close();
    screen.close();
    throw error;
  }
}

type Flow = ReturnType<typeof followOutput>;

/** Everything printed goes on the screen, into the transcript and to the viewers; the slowest of them sets the pace. */
function followOutput(pseudo: PseudoTerminal, screen: ScreenModel) {
  const viewers = new Set<Viewer>();
  const transcript = createTranscript(transcriptBytes);
  let behindBytes = 0;
  let lastAt = performance.now();
  let count = 0;
  const flow = (): void => {
    if (behindBytes > maxBehindBytes || [...viewers].some((viewer) => viewer.isSlow())) pseudo.pause();
    else pseudo.resume();
  };
  pseudo.onData((bytes) => {
    lastAt = performance.now();
    count += 1;
    transcript.add(bytes);
    behindBytes += bytes.length;
    for (const viewer of viewers) viewer.onData(bytes);
    void screen.write(bytes).then(() => {
      behindBytes -= bytes.length;
      flow();
    });
    flow();
  });
  // A person's own terminal answers for itself.
  screen.onReply((text) => viewers.size === 0 && pseudo.write(text));
  return {
    viewers,
    transcript,
    flow,
    get lastAt() {
      return lastAt;
    },
    get count() {
      return count;
    },
    isBehind: () => behindBytes > 0,
  };
}

type Parts = {
  readonly options: LiveTerminalOptions;
  readonly pseudo: PseudoTerminal;
  readonly screen: ScreenModel;
  readonly started: StartedTerminal;
  readonly flow: Flow;
};

function makeTerminal({ options, pseudo, screen, started, flow }: Parts): LiveTerminal {
  let { columns, rows } = options;
  let isAlive = true;
  let exitCode: number | null = null;
  const typed = createTypedLog();
  let typing: Promise<void> = Promise.resolve();
  const ended = started.exited.then(async (code) => {
    // What it printed last may still be on its way.
    await Promise.race([pseudo.ended, delay(drainMs)]);
    await screen.look(0);
    isAlive = false;
    exitCode = code;
    pseudo.close();
    for (const viewer of flow.viewers) viewer.onExit(code);
    flow.viewers.clear();
  });
  const atShell = (): boolean => isAlive && isShellInFront(started.session);
  const send = (bytes: string | Buffer): void => {
    if (isAlive) pseudo.write(bytes);
  };

  async function rest(maxMs: number): Promise<void> {
    const from = performance.now();
    const before = flow.count;
    while (isAlive && performance.now() - from < maxMs) {
      const stillMs = performance.now() - Math.max(flow.lastAt, from);
      const neededMs = flow.count > before ? quietMs : silentMs;
      if (stillMs >= neededMs && !flow.isBehind() && waitsForInput(started.session)) return;
      await Promise.race([delay(tickMs), ended]);
    }
  }

  const command = options.command ?? 'bash';
  return {
    name: options.name,
    command,
    cwd: started.cwd,
    typed,
    ended,
    get isAlive() {
      return isAlive;
    },
    async look(historyLines = 0) {
      const seen = await screen.look(historyLines);
      return { name: options.name, command, columns, rows, ...seen, isAlive, exitCode };
    },
    type(input) {
      const tokens = readTyped(input);
      typed.add(tokens, atShell());
      typing = typing.then(async () => {
        const parts = splitAfterSignals(tokens);
        for (const [index, part] of parts.entries()) {
          if (index > 0) await rest(signalWaitMs);
          send(bytesOf(part, screen.usesApplicationCursorKeys()));
        }
      });
      return typing;
    },
    write(bytes) {
      typed.add(readTyped(bytes.toString().replaceAll('<', '<lt>')), atShell());
      send(bytes);
    },
    rest,
    resize(newColumns, newRows) {
      [columns, rows] = [newColumns, newRows];
      screen.resize(columns, rows);
      if (isAlive) pseudo.resize(columns, rows);
    },
    isShellInFront: atShell,
    attach(viewer) {
      const replay = flow.transcript.read();
      if (isAlive) flow.viewers.add(viewer);
      else viewer.onExit(exitCode);
      return {
        replay,
        detach() {
          flow.viewers.delete(viewer);
          if (isAlive) flow.flow();
        },
      };
    },
    flow: () => isAlive && flow.flow(),
    async close() {
      // A program that waits for us to read cannot end.
      flow.viewers.clear();
      pseudo.resume();
      if (isAlive) await started.end();
      await ended;
      screen.close();
    },
  };
}

/**
 * The kernel turns these into signals, which reach a program later than the keys behind them: a shell would take those for the
 * rest of the line that was just given up.
 */
const signals = new Set(['ctrl-c', 'ctrl-z', 'ctrl-\\']);

function splitAfterSignals(tokens: readonly Typed[]): readonly (readonly Typed[])[] {
  const parts: Typed[][] = [[]];
  for (const token of tokens) {
    parts.at(-1)?.push(token);
    if (token.kind === 'key' && signals.has(token.name)) parts.push([]);
  }
  return parts.filter((part) => part.length > 0);
}
