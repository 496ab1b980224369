/** One terminal that is open: its program, its screen, what it printed last, and who looks at it. */
import { readTyped } from '../../base/typed-keys.ts';
import type { TerminalScreen } from '../../contract/terminals.ts';
import type { HostAsker } from '../net/host-questions.ts';
import { followOutput, type Output, type Viewer } from './follow-output.ts';
import { isShellInFront } from './front-process.ts';
import { openPseudoTerminal, type PseudoTerminal } from './pseudo-terminal.ts';
import { createScreenModel, type ScreenModel } from './screen-model.ts';
import type { StartedTerminal, TerminalStart } from './start-terminal.ts';
import { createTypedLog, type TypedLog } from './typed-log.ts';
import { createTyping } from './typing.ts';

export type LiveTerminalOptions = {
  readonly name: string;
  readonly command: string | undefined;
  readonly workspace: string;
  readonly conversationId?: string;
  readonly networkOf?: string;
  readonly opener?: HostAsker;
  readonly workingDir: string | undefined;
  readonly columns: number;
  readonly rows: number;
  readonly start: (start: TerminalStart) => Promise<StartedTerminal>;
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
  readonly attend: StartedTerminal['attend'];
  /** Plain sentences since it was asked last. */
  takeNotes(): Promise<readonly string[]>;
  /** What was printed last, and from now on everything, as long as it lives. Call `flow` when a slow viewer can take more. */
  attach(viewer: Viewer): { readonly replay: Buffer; detach(): void };
  flow(): void;
  readonly isAlive: boolean;
  /** Resolves when the program has ended and everything it printed is on the screen. */
  readonly ended: Promise<void>;
  /** Resolves when nothing of it is left. */
  close(): Promise<void>;
};

/** Rejects with ToolFailure when the program did not start. Nothing is left then. */
export async function openLiveTerminal(options: LiveTerminalOptions): Promise<LiveTerminal> {
  const screen = await createScreenModel(options.columns, options.rows);
  let pseudo: PseudoTerminal | undefined;
  try {
    pseudo = await openPseudoTerminal(options.columns, options.rows);
    const { command, workspace, workingDir, networkOf, conversationId, opener } = options;
    // Read from the beginning: what cannot be written stops a program.
    const output = followOutput(pseudo, screen);
    const started = await options.start({
      pseudo,
      command,
      workspace,
      workingDir,
      ...(networkOf === undefined ? {} : { networkOf }),
      ...(conversationId === undefined ? {} : { conversationId }),
      ...(opener === undefined ? {} : { opener }),
    });
    const terminal = makeTerminal({ options, pseudo, screen, started, output });
    await started
      .untilRunning(() => output.transcript.read().toString())
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

type Parts = {
  readonly options: LiveTerminalOptions;
  readonly pseudo: PseudoTerminal;
  readonly screen: ScreenModel;
  readonly started: StartedTerminal;
  readonly output: Output;
};

function makeTerminal({ options, pseudo, screen, started, output }: Parts): LiveTerminal {
  const { name, command = 'bash' } = options;
  let { columns, rows } = options;
  let isAlive = true;
  let exitCode: number | null = null;
  const typed = createTypedLog();
  const ended = started.exited.then(async (code) => {
    await output.drain();
    isAlive = false;
    exitCode = code;
    pseudo.close();
    for (const viewer of output.viewers) viewer.onExit(code);
    output.viewers.clear();
  });
  const isAtShell = (): boolean => isAlive && isShellInFront(started.session);
  const send = (bytes: string | Buffer): void => {
    if (isAlive) pseudo.write(bytes);
  };
  const rest = (maxMs: number): Promise<void> => output.rest(started, maxMs, ended);
  return {
    ...{ name, command, typed, ended, rest, cwd: started.cwd, isShellInFront: isAtShell },
    ...{ takeNotes: started.takeNotes, attend: started.attend },
    type: createTyping({ typed, send, rest, isAtShell, usesApplicationCursorKeys: screen.usesApplicationCursorKeys }),
    flow: () => isAlive && output.flow(),
    get isAlive() {
      return isAlive;
    },
    async look(historyLines = 0) {
      const seen = await screen.look(historyLines);
      return { name, command, columns, rows, ...seen, isAlive, exitCode };
    },
    write(bytes) {
      typed.add(readTyped(bytes.toString().replaceAll('<', '<lt>')), isAtShell());
      send(bytes);
    },
    resize(newColumns, newRows) {
      [columns, rows] = [newColumns, newRows];
      screen.resize(columns, rows);
      if (isAlive) pseudo.resize(columns, rows);
    },
    attach(viewer) {
      if (isAlive) output.viewers.add(viewer);
      return {
        replay: output.transcript.read(),
        detach() {
          output.viewers.delete(viewer);
          if (isAlive) output.flow();
        },
      };
    },
    async close() {
      // A program that waits for us to read cannot end.
      output.viewers.clear();
      pseudo.resume();
      if (isAlive) await started.end();
      await ended;
      screen.close();
    },
  };
}
