/** A real terminal for a program: tmux on a server of its own. What is typed is typed, what is read is what a person sees. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Terminal = {
  /** Keys by tmux's names ("Enter", "C-c", "M-Enter"); any other text is typed as it is. */
  press(...keys: readonly string[]): Promise<void>;
  /** As a terminal pastes: between the marks of bracketed paste, when the program asked for them. */
  paste(text: string): Promise<void>;
  screen(): Promise<string>;
  /** Scrolled-off lines too. */
  everything(): Promise<string>;
  /** Rejects with the screen when the text does not come. */
  waitFor(what: string | RegExp, timeoutMs?: number): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  /** A tmux format, for example `#{cursor_flag}`. */
  ask(format: string): Promise<string>;
  /** Every byte the program sent to the terminal. */
  bytes(): Promise<string>;
  close(): Promise<void>;
};

/** `command` is a line for sh; when it ends, its exit code and the terminal's modes are printed. */
export async function openTerminal(options: {
  readonly command: string;
  readonly columns: number;
  readonly rows: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<Terminal> {
  const folder = await mkdtemp(path.join(tmpdir(), 'handrail-terminal-'));
  const recording = path.join(folder, 'bytes');
  const tmux = createTmux(folder);
  const variables = Object.entries(options.env ?? {}).map(([name, value]) => `${name}='${value}'`);
  const ended = `code=$?; stty -a | tr ' ;' '\\n\\n' | grep -x -e '-*icanon' -e '-*echo'; echo "ended with $code"; exec sleep 1000`;
  const line = `read start; env -u NO_COLOR ${variables.join(' ')} ${options.command}; ${ended}`;
  const size = ['-x', String(options.columns), '-y', String(options.rows)];
  await tmux(
    'new-session',
    '-d',
    '-s',
    't',
    ...size,
    '-c',
    options.cwd ?? folder,
    `sh -c '${line.replaceAll("'", `'\\''`)}'`,
  );
  await tmux('pipe-pane', '-O', '-t', 't', `cat > ${recording}`);
  await tmux('send-keys', '-t', 't', 'Enter');

  const screen = (): Promise<string> => tmux('capture-pane', '-p', '-t', 't');
  return {
    async press(...keys) {
      for (const key of keys) await tmux('send-keys', '-t', 't', key);
    },
    async paste(text) {
      await tmux('set-buffer', text);
      await tmux('paste-buffer', '-p', '-r', '-t', 't');
    },
    screen,
    everything: () => tmux('capture-pane', '-p', '-S', '-', '-t', 't'),
    async waitFor(what, timeoutMs = 20_000) {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const shown = await screen();
        if (typeof what === 'string' ? shown.includes(what) : what.test(shown)) return shown;
        if (Date.now() > deadline) throw new Error(`${String(what)} did not come. The screen:\n${shown}`);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    },
    resize: async (columns, rows) =>
      void (await tmux('resize-window', '-t', 't', '-x', String(columns), '-y', String(rows))),
    ask: async (format) => (await tmux('display-message', '-p', '-t', 't', format)).trimEnd(),
    bytes: () => readFile(recording, 'latin1'),
    async close() {
      const pane = (await tmux('display-message', '-p', '-t', 't', '#{pane_pid}')).trim();
      const programs = (await readFile(`/proc/${pane}/task/${pane}/children`, 'utf8')).split(' ').filter(Boolean);
      await tmux('kill-server');
      await allGone(programs);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Tmux = (...args: readonly string[]) => Promise<string>;

/** A tmux server whose socket lies in the folder. */
function createTmux(folder: string): Tmux {
  // What is on the user's own terminal must change nothing here.
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  return async (...args) => {
    try {
      return (await run('tmux', ['-S', path.join(folder, 's'), '-f', '/dev/null', ...args], { env })).stdout;
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      throw isMissing ? new Error('tmux is missing. Debian: apt install tmux', { cause: error }) : error;
    }
  };
}

/** A program that still winds up would write into folders that the test removes. */
async function allGone(processIds: readonly string[]): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (processIds.some((each) => existsSync(`/proc/${each}`))) {
    if (Date.now() > deadline) throw new Error(`Still there after their terminal was closed: ${processIds.join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
