/** A workspace with the watch over its trusted files, and commands that run in it without any sandbox. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  createTrustedFiles,
  type TrustedFiles,
  type TrustedFilesOptions,
} from '../../src/services/trusted-files/create-trusted-files.ts';

/** Of this process. */
const trustedWorldPrefix = `handrail-trusted-${process.pid}-`;

/** What the worlds of this process have left behind, for the end of a test file. */
export function leftOfTrustedWorlds(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(trustedWorldPrefix));
}

export type TrustedWorld = {
  readonly workspace: string;
  readonly stateFolder: string;
  readonly trusted: TrustedFiles;
  /** As another process of ours would make it. */
  another(): TrustedFiles;
  /** Runs it as a command of a call; gives the notes of the result. */
  command(script: string): Promise<readonly string[]>;
  /** Runs it as the user would in a terminal of their own, and waits until the kernel's clock has moved on. */
  user(script: string): Promise<void>;
  write(name: string, text: string): void;
  read(name: string): string;
  has(name: string): boolean;
};

export function createTrustedWorld(options: Partial<TrustedFilesOptions> = {}): TrustedWorld {
  const root = realpathSync(mkdtempSync(join(tmpdir(), trustedWorldPrefix)));
  const [workspace, stateFolder, home] = ['workspace', 'state', 'home'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [workspace, home]) mkdirSync(folder);
  const made: TrustedFiles[] = [];
  const another = (): TrustedFiles => {
    const next = createTrustedFiles({ folder: join(stateFolder, 'trusted-files'), ...options });
    made.push(next);
    return next;
  };
  const trusted = another();
  onTestFinished(async () => {
    // Their looks go on otherwise, and would write again what is removed here.
    for (const each of made) await each.close();
    rmSync(root, { recursive: true });
  });
  const run = (script: string): void => {
    execFileSync('bash', ['-ec', script], {
      cwd: workspace,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...{ PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_COUNT: '1' },
        ...{ GIT_CONFIG_KEY_0: 'init.defaultBranch', GIT_CONFIG_VALUE_0: 'main' },
        ...{ GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@example.org' },
        ...{ GIT_COMMITTER_NAME: 'T', GIT_COMMITTER_EMAIL: 't@example.org' },
      },
    });
  };
  return {
    workspace,
    stateFolder,
    trusted,
    another,
    async command(script) {
      const { end } = await trusted.begin(workspace);
      try {
        run(script);
      } catch (error) {
        await end();
        throw error;
      }
      return end();
    },
    async user(script) {
      run(script);
      await pastTick(root);
    },
    write(name, text) {
      mkdirSync(dirname(join(workspace, name)), { recursive: true });
      writeFileSync(join(workspace, name), text);
    },
    read: (name) => readFileSync(join(workspace, name), 'utf8'),
    has: (name) => existsSync(join(workspace, name)),
  };
}

/** People are slower than the margin within which a change counts as a command's. */
const humanMs = 80;

/** Resolves when files get later stamps than that. */
async function pastTick(folder: string): Promise<void> {
  const probe = join(folder, 'probe');
  const wanted = Date.now() + humanMs;
  do {
    await new Promise((resolve) => setTimeout(resolve, 10));
    writeFileSync(probe, '');
  } while (statSync(probe).ctimeMs < wanted);
  rmSync(probe);
}
