/** One user's Linux userland: installs it, keeps its packages, puts a fresh one in its place, takes it away. */
import { ToolFailure } from '../../contract/failure.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Userland, UserlandStatus, UserlandWatch } from '../../contract/userland.ts';
import type { Sandbox } from '../sandbox/create-sandbox.ts';
import type { RunAs } from '../sandbox/run-as.ts';
import { installUserlandCommand, packageManagers, type UserlandRecord } from '../sandbox/userland-place.ts';
import { claimUserland } from './claim-userland.ts';
import { emptyHome } from './empty-home.ts';
import { finishInstallation, installBasicPackages } from './finish-installation.ts';
import { chooseInstallation, type Installation } from './choose-installation.ts';
import { installAlpine } from './install-alpine.ts';
import { installDebian } from './install-debian.ts';
import { inStep, type InstallContext, noWatch } from './install-steps.ts';
import type { readMachineApt } from './machine-apt.ts';
import { createMirrorClient, type VetHost } from './mirror-client.ts';
import { alpineMirrors, outOfSupportNote } from './mirrors.ts';
import { createPackages } from './packages.ts';
import { createTreeRunner } from './run-in-tree.ts';
import { openUserlandStore } from './userland-store.ts';

export type UserlandOptions = {
  /** The private home of commands; the userland lies beside it. A real path. */
  readonly homeFolder: string;
  /** The user whose commands run in it. */
  readonly runAs: RunAs;
  readonly settings: () => Settings['sandbox'];
  readonly sandbox: Sandbox;
  /** The guard over addresses, as for everything that downloads. */
  readonly vetHost: VetHost;
  /** Certificates to trust instead of Node's own. */
  readonly certificates?: string;
  readonly now?: () => Date;
  /** Without an answer or a further byte for this long, the next mirror is asked. */
  readonly idleMs?: number;
  /** Tests bring mirrors of their own here, whose first is the authority. */
  readonly knownMirrors?: readonly string[];
  readonly readApt?: typeof readMachineApt;
};

export function createUserland(options: UserlandOptions): Userland {
  const store = openUserlandStore(options.homeFolder, options.runAs);
  const now = options.now ?? (() => new Date());
  const { idleMs, certificates } = options;
  const client = createMirrorClient({
    vetHost: options.vetHost,
    ...(idleMs === undefined ? {} : { idleMs }),
    ...(certificates === undefined ? {} : { ca: certificates }),
  });
  const mirrorList = (): readonly string[] => {
    const named = options.settings().userland.mirrors;
    return named.length > 0 ? named : (options.knownMirrors ?? alpineMirrors);
  };
  const run = createTreeRunner({
    sandbox: options.sandbox,
    hosts: () => [...mirrorList(), store.record()?.mirror ?? ''].map(hostOf),
  });

  function context(watch: UserlandWatch): InstallContext {
    const { dns } = options.settings().userland;
    const mirrors = mirrorList();
    return {
      store,
      run,
      client,
      mirrors,
      authority: new URL(mirrors[0] ?? '').host,
      dns,
      ...(options.readApt === undefined ? {} : { readApt: options.readApt }),
      signal: watch.signal ?? new AbortController().signal,
      onProgress: watch.onProgress ?? (() => undefined),
      ...(watch.onOutput === undefined ? {} : { onOutput: watch.onOutput }),
      now,
    };
  }

  function status(): UserlandStatus {
    const record = store.record();
    const isInForce = options.settings().root === 'userland';
    const place = { isInForce, owner: options.runAs.uid, folder: store.folder };
    if (record === undefined) return { state: store.exists() ? 'unfinished' : 'absent', ...place, notes: [] };
    return { state: record.stage === 'ready' ? 'ready' : 'unfinished', ...place, ...describe(record, now()) };
  }

  async function alone<T>(work: () => Promise<T>): Promise<T> {
    const release = await claimUserland(store.folder);
    try {
      store.removeLeftovers();
      return await work();
    } finally {
      store.removeLeftovers();
      await release();
    }
  }

  async function put(wanted: Installation, inContext: InstallContext): Promise<void> {
    if (wanted.distribution === 'alpine') await installAlpine(inContext, wanted.version ?? '3.21');
    else await installDebian(inContext, wanted.version);
  }

  function requireRecord(): UserlandRecord {
    const record = store.record();
    if (record !== undefined) return record;
    throw new ToolFailure(
      'unavailable',
      `There is no Linux userland${store.exists() ? ' that could be used' : ''}, so there is no package manager: commands see this machine's own system, read-only. Install one: ${installUserlandCommand}`,
    );
  }

  return {
    status: () => Promise.resolve(status()),
    install: (request, watch = noWatch) =>
      alone(async () => {
        const choice = chooseInstallation(request, store.record(), options.settings().userland);
        const inContext = context(watch);
        if (choice.isReplacing) await put(choice.wanted, inContext);
        const isNew = choice.isReplacing || requireRecord().stage !== 'ready';
        await finishInstallation(inContext, requireRecord(), { isBare: request.isBare === true });
        inContext.onProgress({ step: 'ready', text: requireRecord().prettyName, percent: 100 });
        return { ...status(), isNew };
      }),
    addBasicPackages: (watch = noWatch) =>
      alone(async () => {
        await installBasicPackages(context(watch), requireRecord());
        return status();
      }),
    packages: createPackages({ context, requireRecord, alone }),
    reset: (request, watch = noWatch) =>
      alone(async () => {
        const { distribution, version, packages } = requireRecord();
        const inContext = context(watch);
        await put({ distribution, version }, inContext);
        if (request.withHome === true) await emptyHome(options.homeFolder, options.runAs);
        await finishInstallation(inContext, requireRecord(), { isBare: packages === 'bare' });
        return status();
      }),
    uninstall: () => alone(() => inStep('remove', () => store.remove('everything'))),
  };
}

function describe(record: UserlandRecord, now: Date): Omit<UserlandStatus, 'state' | 'isInForce' | 'owner' | 'folder'> {
  const note = record.distribution === 'alpine' ? outOfSupportNote(record.version, now) : undefined;
  return {
    distribution: record.distribution,
    version: record.version,
    prettyName: record.prettyName,
    packageManager: packageManagers[record.distribution],
    mirror: record.mirror,
    installedAt: record.installedAt,
    packages: record.packages,
    notes: note === undefined ? [] : [note],
  };
}

const hostOf = (mirror: string): string => (URL.canParse(mirror) ? new URL(mirror).hostname : '');
