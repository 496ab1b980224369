/** The real program in a world of its own: a state folder, a home and a workspace that nothing outlives. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { JournalEvent } from '../../src/contract/event.ts';
import { waitForNone } from './leftovers.ts';

const project = path.resolve(import.meta.dirname, '../..');
export const programFile = path.join(project, 'bin/handrail');
/** What `bin/handrail` starts, and what a library's user imports. */
export const bundleFile = path.join(project, 'dist/main.js');

/** What the program started may need a moment to be gone: the kernel ends a namespace after its first process. */
const endingMs = 5_000;

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

export type ProgramWorld = {
  readonly root: string;
  readonly home: string;
  readonly workspace: string;
  readonly stateFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  start(args: readonly string[], options?: StartOptions): LiveProgram;
  run(args: readonly string[], options?: StartOptions): Promise<RunEnd>;
  /** Below the workspace unless absolute. */
  write(name: string, text: string): void;
  read(name: string): string;
  writeSettings(settings: unknown): void;
  /** What the journal holds, read by another process through the library. */
  eventsKept(conversationId: string): Promise<readonly JournalEvent[]>;
  /** Resolves when no process belongs to the world; rejects with their names when that takes too long. */
  untilQuiet(): Promise<void>;
};

/** Everything is gone when the test ends; a process or a mount that is left fails it. */
export function createProgramWorld(environment: Readonly<Record<string, string>> = {}): ProgramWorld {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-world-')));
  const [home, workspace, stateFolder] = ['home', 'workspace', 'state'].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, workspace]) mkdirSync(folder);
  const env = {
    PATH: process.env['PATH'] ?? '',
    LANG: 'C.UTF-8',
    HOME: home,
    HANDRAIL_HOME: stateFolder,
    ...environment,
  };
  const live = new Set<LiveProgram>();
  const inWorkspace = (name: string) => path.resolve(workspace, name);

  function start(args: readonly string[], options: StartOptions = {}): LiveProgram {
    const program = startProgram(args, { cwd: workspace, ...options, env: { ...env, ...options.env } });
    live.add(program);
    const forget = () => live.delete(program);
    program.ended.then(forget, forget);
    return program;
  }

  onTestFinished(async () => {
    const running = [...live];
    for (const program of running) program.kill('SIGKILL');
    await Promise.all(running.map((program) => program.ended));
    const left = await waitForNone(root, endingMs);
    for (const { pid } of left) if (pid !== undefined) endProcess(pid);
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    if (running.length > 0) throw new Error(`${running.length} program(s) still ran at the end of the test.`);
    if (left.length > 0) throw new Error(`Left behind: ${left.map((each) => each.text).join('; ')}`);
  });

  return {
    root,
    home,
    workspace,
    stateFolder,
    environment: env,
    start,
    run: (args, options) => start(args, options).ended,
    write(name, text) {
      mkdirSync(path.dirname(inWorkspace(name)), { recursive: true });
      writeFileSync(inWorkspace(name), text);
    },
    read: (name) => readFileSync(inWorkspace(name), 'utf8'),
    writeSettings(settings) {
      mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
      writeFileSync(path.join(stateFolder, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
    },
    eventsKept: (conversationId) => readJournal(conversationId, { cwd: workspace, env }),
    async untilQuiet() {
      const left = await waitForNone(root, endingMs);
      if (left.length > 0) throw new Error(`Still there: ${left.map((each) => each.text).join('; ')}`);
    },
  };
}

type Place = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> };

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

function startProgram(args: readonly string[], options: Place & StartOptions): LiveProgram {
  const { child, ...streams } =
    options.onTerminal === true ? spawnOnTerminal(args, options) : spawnPlain(args, options);
  // A program that ends without reading its input breaks the pipe, which is its right.
  child.stdin?.on('error', () => undefined);
  const events: JournalEvent[] = [];
  const watchers = new Set<() => void>();
  let stdout = '';
  let unread = '';
  let stderr = '';
  streams.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    const lines = (unread + text).split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('{')) events.push(JSON.parse(line) as JournalEvent);
    for (const watcher of watchers) watcher();
  });
  streams.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    for (const watcher of watchers) watcher();
  });
  const ended = once(child, 'close').then(([code, signal]): RunEnd => {
    return { code: code as number | null, signal: signal as NodeJS.Signals | null, stdout, stderr, events };
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
        reject(new Error(`The program ended without ${what}. Events: ${types}. It said: ${stderr}${unread}`));
      });
    });
  }

  return {
    pid: child.pid ?? 0,
    ended,
    events: () => events,
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

const journalReader = `
  const { createHandrail } = await import(process.argv[1]);
  const handrail = await createHandrail();
  process.stdout.write(JSON.stringify(await handrail.conversations.events(process.argv[2])));
  await handrail.close();
`;

async function readJournal(conversationId: string, place: Place): Promise<readonly JournalEvent[]> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', journalReader, bundleFile, conversationId], {
    cwd: place.cwd,
    env: { ...place.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The journal could not be read (exit code ${code}).`);
  return JSON.parse(printed) as readonly JournalEvent[];
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}
