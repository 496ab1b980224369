/** A state folder of its own with a real sandbox, network and userland in it, over mirrors on 127.0.0.1. */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../src/contract/settings.ts';
import type { Userland, UserlandProgress } from '../../src/contract/userland.ts';
import { openSandbox } from '../../src/services/sandbox/open-sandbox.ts';
import type { Sandbox } from '../../src/services/sandbox/create-sandbox.ts';
import { decideRunAs } from '../../src/services/sandbox/run-as.ts';
import { defaultSettings } from '../../src/services/settings/default-settings.ts';
import { resolveStateFolders } from '../../src/services/state-folder/resolve-state-folders.ts';
import { createUserland, type UserlandOptions } from '../../src/services/userland/create-userland.ts';
import { createVetHost } from '../../src/services/userland/open-userland.ts';
import type { AlpineMirror } from './alpine-mirror.ts';
import { openShellWorld, type ShellWorld } from './shell-world.ts';

export type UserlandWorld = {
  readonly base: string;
  readonly data: string;
  readonly workspace: string;
  readonly userland: Userland;
  readonly sandbox: Sandbox;
  readonly progress: UserlandProgress[];
  readonly settings: Settings;
  /** Like commands of conversations, in the userland. */
  readonly shell: () => ShellWorld;
  close(): Promise<void>;
};

type WorldOptions = Partial<UserlandOptions> & {
  readonly dns?: readonly string[];
  readonly mirrorUrls?: readonly string[];
  readonly network?: 'off';
  /** Whose the workspace is. Omitted: our own. */
  readonly owner?: number;
};

function settingsFor(mirrors: readonly AlpineMirror[], options: WorldOptions): Settings {
  const { sandbox: usual } = defaultSettings;
  const urls = options.mirrorUrls ?? mirrors.map((mirror) => mirror.url);
  const dns = options.dns ?? usual.userland.dns;
  return {
    ...defaultSettings,
    sandbox: {
      ...usual,
      network: { ...usual.network, mode: options.network ?? usual.network.mode },
      root: 'userland',
      userland: { ...usual.userland, mirrors: urls, dns },
    },
    net: { ...defaultSettings.net, allowPrivate: mirrors.map((mirror) => mirror.host) },
  };
}

export function openUserlandWorld(mirrors: readonly AlpineMirror[], options: WorldOptions = {}): UserlandWorld {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-userland-')));
  const workspace = join(base, 'workspace');
  const environment = { ...process.env, HANDRAIL_HOME: join(base, 'state') };
  const folders = resolveStateFolders(environment);
  mkdirSync(workspace);
  const owner = options.owner ?? process.geteuid?.() ?? 0;
  if (owner !== process.geteuid?.()) {
    chownSync(workspace, owner, owner);
    chmodSync(base, 0o755);
  }
  mkdirSync(folders.data, { mode: 0o700 });
  const settings = settingsFor(mirrors, options);
  const sandbox = openSandbox({
    folders,
    settings,
    userHome: '/nonexistent',
    environment,
    programFolder: '/nonexistent',
  });
  const userland = createUserland({
    homeFolder: folders.homeFolder,
    runAs: decideRunAs(owner),
    settings: () => settings.sandbox,
    sandbox,
    vetHost: createVetHost(settings),
    idleMs: 5000,
    ...options,
  });
  const progress: UserlandProgress[] = [];
  const worlds: ShellWorld[] = [];
  return {
    base,
    data: folders.data,
    workspace,
    userland,
    sandbox,
    progress,
    settings,
    shell() {
      const world = openShellWorld({ workspace, shell: { sandbox } });
      worlds.push(world);
      return world;
    },
    async close() {
      for (const world of worlds) await world.close();
      await sandbox.network?.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}
