/** A small world on disk for tests of files and search: workspace, state, private home, a user's home with a key, and calls as the executor makes them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Access } from '../../src/contract/access.ts';
import type { CallScope, Services } from '../../src/contract/services.ts';
import type { ToolOutput, View } from '../../src/contract/output.ts';
import type { Tool } from '../../src/contract/tool.ts';
import { createArtifacts } from '../../src/services/artifacts/create-artifacts.ts';
import { createClock } from '../../src/services/clock.ts';
import { createFiles, type FilesOwner, type FilesParts } from '../../src/services/files/create-files.ts';
import type { FilesOptions } from '../../src/services/files/places.ts';
import { createSearch, type SearchParts } from '../../src/services/search/create-search.ts';
import type { FindBinary } from '../../src/services/search/find-binary.ts';

export type FileWorldOptions = {
  readonly files?: Partial<FilesOptions>;
  readonly filesParts?: FilesParts;
  readonly searchParts?: SearchParts;
  readonly findBinary?: FindBinary;
  readonly locateDatabase?: string;
  readonly now?: () => Date;
};

export type FileWorld = {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly state: string;
  readonly userHome: string;
  readonly outside: string;
  readonly options: FilesOptions;
  readonly files: FilesOwner;
  /** Writes a file below the world's root, parents included. */
  put(path: string, content: string | Buffer): string;
  /** The services of one call that was granted these accesses. */
  grant(
    accesses?: readonly Access[],
    signal?: AbortSignal,
  ): Promise<Pick<Services, 'files' | 'search' | 'artifacts' | 'clock'>>;
  /** Parses, resolves what the call declares, and runs it with that granted (or with nothing). */
  call(
    tool: unknown,
    input: unknown,
    how?: { readonly grantsNothing?: boolean; readonly signal?: AbortSignal },
  ): Promise<ToolOutput>;
  preview(tool: unknown, input: unknown): Promise<View | undefined>;
  remove(): void;
};

export const canary = 'CANARY-7f3a-secret';

export function createFileWorld(how: FileWorldOptions = {}): FileWorld {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-files-')));
  const at = (name: string): string => join(root, name);
  for (const name of ['workspace', 'state/home', 'state/artifacts', 'state/workspaces', 'user/.ssh', 'outside'])
    mkdirSync(at(name), { recursive: true });
  writeFileSync(at('user/.ssh/id_ed25519'), canary);
  writeFileSync(at('state/settings.json'), canary);
  writeFileSync(at('outside/secret.txt'), `${canary}\n`);
  const options: FilesOptions = {
    stateRoots: [at('state')],
    artifactsFolder: at('state/artifacts'),
    homeFolder: at('state/home'),
    homePath: '/home/handrail',
    workspacesFolder: at('state/workspaces'),
    trashFolder: at('state/trash'),
    userHome: at('user'),
    ...how.files,
  };
  const files = createFiles(options, ...(how.filesParts ? [how.filesParts] : []));
  const findBinary = how.findBinary && { findBinary: how.findBinary };
  const search = createSearch(
    {
      guardFor: files.guardFor,
      ...findBinary,
      ...(how.locateDatabase !== undefined && { locateDatabase: how.locateDatabase }),
    },
    ...(how.searchParts ? [how.searchParts] : []),
  );
  const artifacts = createArtifacts({ folder: options.artifactsFolder, ...findBinary });
  const clock = createClock(how.now);
  const conversation = { id: 'c1', workspace: at('workspace'), isThrowaway: false };

  async function grant(accesses: readonly Access[] = [], signal = new AbortController().signal) {
    const granted = await Promise.all(
      accesses.map(async (access) =>
        access.kind === 'path' ? files.resolve(access, conversation) : (access as Extract<Access, { kind: 'none' }>),
      ),
    );
    const scope: CallScope = { callId: 'call-1', conversation, granted, signal };
    return {
      files: files.forCall(scope),
      search: search.forCall(scope),
      artifacts: artifacts.forCall(scope),
      clock: clock.forCall(scope),
    };
  }

  return {
    root,
    workspace: at('workspace'),
    home: at('state/home'),
    state: at('state'),
    userHome: at('user'),
    outside: at('outside'),
    options,
    files,
    grant,
    put(path, content) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content);
      return at(path);
    },
    async call(anyTool, input, { grantsNothing = false, signal = new AbortController().signal } = {}) {
      const tool = anyTool as Tool;
      const parsed: unknown = tool.input.parse(input);
      const services = (await grant(grantsNothing ? [] : tool.access(parsed), signal)) as unknown as Services;
      const output = await tool.run(parsed, services, {
        signal,
        conversation,
        calledAs: 'the tool',
        emit: () => undefined,
      });
      tool.output?.parse(output.data);
      return output;
    },
    async preview(anyTool, input) {
      const tool = anyTool as Tool;
      const parsed: unknown = tool.input.parse(input);
      return tool.preview?.(parsed, (await grant(tool.access(parsed))) as unknown as Services);
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The code and message of the failure that a promise ends in, or `none`. */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'none';
  } catch (error) {
    if (error instanceof Error && 'code' in error) return `${String(error.code)}: ${error.message}`;
    throw error;
  }
}
