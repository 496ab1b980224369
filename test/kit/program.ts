/** The real program in a world of its own: a state folder, a home and a workspace that nothing outlives. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { JournalEvent } from '../../src/contract/event.ts';
import { waitForNone } from './leftovers.ts';
import { startProgram } from './live-program.ts';
import type { LiveProgram, Place, RunEnd, StartOptions } from './live-program.ts';

export { programFile } from './live-program.ts';
export type { LiveProgram, RunEnd, StartOptions } from './live-program.ts';

const project = path.resolve(import.meta.dirname, '../..');
/** What `bin/handrail` starts, and what a library's user imports. */
export const bundleFile = path.join(project, 'dist/main.js');

/** What the program started may need a moment to be gone: the kernel ends a namespace after its first process. */
const endingMs = 5_000;

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
    // In a state folder of its own each program would be compiled anew, which is a quarter of a short one's time.
    NODE_COMPILE_CACHE: path.join(project, '.cache/compiled-for-tests'),
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
