/** One run of the real program: what it prints while it runs, what is typed to it, how it ends. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { JournalEvent } from '../../src/contract/event.ts';

export const programFile = path.resolve(import.meta.dirname, '../../bin/handrail');

export type StartOptions = {
  /** Omitted: standard input is empty. */
  readonly stdin?: string;
  /** On top of the world's environment; undefined takes a name away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Omitted: the workspace. */
  readonly cwd?: string;
  /** Standard input and standard error are a terminal, standard output is not. `type` types there. Omitted: false. */
  readonly onTerminal?: boolean;
  /** Width of that terminal; 0: it does not know. Omitted: 200, so that no line is wrapped. */
  readonly columns?: number;
};

export type RunEnd = {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The lines of standard output that are JSON objects; a last line that was cut off is none. */
  readonly events: readonly JournalEvent[];
};

export type LiveProgram = {
  readonly pid: number;
  readonly ended: Promise<RunEnd>;
  /** Printed so far. */
  events(): readonly JournalEvent[];
  /** Printed so far, as it came. */
  stdout(): string;
  /** With a terminal: all that it ever showed, with its control codes. */
  stderr(): string;
  /** Resolves when standard error, or the terminal, has shown `text` behind the first `from` characters. */
  waitForText(text: string | RegExp, from?: number): Promise<void>;
  /** Types on the terminal. */
  type(text: string): void;
  /** The first event that fits, past or to come. Rejects when the program ends without it. */
  waitFor<Type extends JournalEvent['type']>(
    type: Type,
    fits?: (event: Extract<JournalEvent, { type: Type }>) => boolean,
  ): Promise<Extract<JournalEvent, { type: Type }>>;
  kill(signal: NodeJS.Signals): void;
};

export type Place = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> };

type Streams = {
  readonly child: ChildProcess;
  readonly stdout: Readable;
  readonly stderr: Readable;
};

function spawnPlain(args: readonly string[], options: Place & StartOptions): Streams {
  const stdin = options.stdin === undefined ? 'ignore' : 'pipe';
  const { cwd, env } = options;
  const child = spawn(programFile, args, { cwd, env: { ...env }, stdio: [stdin, 'pipe', 'pipe'] });
  child.stdin?.end(options.stdin);
  return { child, stdout: child.stdout as Readable, stderr: child.stderr as Readable };
}

/** util-linux's `script` makes the terminal; the program's standard output comes past it, by a descriptor of its own. */
function spawnOnTerminal(args: readonly string[], { cwd, env, columns = 200 }: Place & StartOptions): Streams {
  const words = [programFile, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  const size = columns === 0 ? '' : `stty cols ${columns} rows 50; `;
  const child = spawn('script', ['-qefc', `${size}exec ${words.join(' ')} >&3 3>&-`, '/dev/null'], {
    cwd,
    env: { ...env, SHELL: '/bin/sh', TERM: 'xterm-256color' },
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  });
  return { child, stdout: child.stdio[3] as Readable, stderr: child.stdout as Readable };
}

/** Starts `bin/handrail`. The caller ends it. */
export function startProgram(args: readonly string[], options: Place & StartOptions): LiveProgram {
  const { child, ...streams } =
    options.onTerminal === true ? spawnOnTerminal(args, options) : spawnPlain(args, options);
  // A program that ends without reading its input breaks the pipe, which is its right.
  child.stdin?.on('error', () => undefined);
  const watchers = new Set<() => void>();
  const changed = () => watchers.forEach((watcher) => watcher());
  const { events, text } = collectEvents(streams.stdout, changed);
  let stderr = '';
  streams.stderr.setEncoding('utf8').on('data', (more: string) => {
    stderr += more;
    changed();
  });
  const ended = once(child, 'close').then(([code, signal]): RunEnd => {
    return {
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      stdout: text(),
      stderr,
      events,
    };
  });

  /** Resolves as soon as `look` finds something; rejects when the program ends before. */
  function watch<Found>(what: string, look: () => Found | undefined): Promise<Found> {
    return new Promise((resolve, reject) => {
      const watcher = () => {
        const found = look();
        if (found === undefined) return;
        watchers.delete(watcher);
        resolve(found);
      };
      watchers.add(watcher);
      watcher();
      void ended.then(() => {
        watcher();
        const types = events.map((event) => event.type).join(' ');
        reject(new Error(`The program ended without ${what}. Events: ${types}. It said: ${stderr}`));
      });
    });
  }

  return {
    ...{ pid: child.pid ?? 0, ended },
    events: () => events,
    stdout: text,
    stderr: () => stderr,
    kill: (signal) => void child.kill(signal),
    type: (text) => void child.stdin?.write(text),
    async waitForText(text, from = 0) {
      const shown = () => (typeof text === 'string' ? stderr.includes(text, from) : text.test(stderr.slice(from)));
      await watch(`showing ${String(text)}`, () => (shown() ? true : undefined));
    },
    waitFor(type, fits = () => true) {
      type Wanted = Extract<JournalEvent, { type: typeof type }>;
      const isWanted = (event: JournalEvent): event is Wanted => event.type === type && fits(event as Wanted);
      return watch(`that ${type}`, () => events.find(isWanted));
    },
  };
}

/** Each whole line that begins like an object is an event; `changed` is called when there may be more. */
function collectEvents(stream: Readable, changed: () => void) {
  const events: JournalEvent[] = [];
  let all = '';
  let unread = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    all += text;
    const lines = (unread + text).split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('{')) events.push(JSON.parse(line) as JournalEvent);
    changed();
  });
  return { events: events as readonly JournalEvent[], text: () => all };
}
