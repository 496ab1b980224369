/** Makes sandboxes: finds what the configured rung needs, and has the command line written that starts a program on it. */
import { statSync } from 'node:fs';
import { rungText } from '../../base/rung-text.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { Confirmations } from '../../contract/handrail.ts';
import type { Rung, SandboxReport } from '../../contract/services.ts';
import { createLimits, type Limits } from '../limits/create-limits.ts';
import type { Network } from '../net/create-network.ts';
import { defaultSettings } from '../settings/default-settings.ts';
import type { SandboxPlan } from './bwrap-args.ts';
import { type Detection, detectRungs, missingRungMessage } from './detect-rungs.ts';
import { type Bubblewrap, type BubblewrapSearch, findBubblewrap } from './find-bubblewrap.ts';
import type { ContainerPlan } from './container-args.ts';
import { type ContainerSearch, findContainer } from './find-container.ts';
import { launchInContainer, type ReadyContainer } from './launch-in-container.ts';
import { findProot, type Proot, type ProotSearch } from './find-proot.ts';
import { launchInProot } from './launch-in-proot.ts';
import { launchInNamespaces } from './launch-in-namespaces.ts';
import type { BindOwnPrograms } from './own-programs.ts';
import type { openRealFolder } from './real-folder.ts';
import { describeLadder, otherRungs } from './other-rungs.ts';
import { findUserlands, reportRoot } from './report-root.ts';
import type { Launch, LaunchRequest } from './sandbox-launch.ts';
import { decideRunAs } from './run-as.ts';
import { createSandboxParts } from './sandbox-parts.ts';
import { importRoot, removeOrphanContainers, tryContainer } from './try-container.ts';
import { buildSeccompFilter } from './seccomp-filter.ts';
import type { UserlandRecord } from './userland-place.ts';

export type SandboxOptions = {
  /** Ours alone; never visible inside, also when the workspace holds it. A real path. */
  readonly stateFolder: string;
  /** The private home, shared by all conversations. Made when missing. A real path. */
  readonly homeFolder: string;
  /** The user's own home, which no workspace may hold. */
  readonly userHome: string;
  /** Further absolute paths that are hidden where the workspace holds them. */
  readonly hiddenPaths?: readonly string[];
  /** As the settings say now. */
  readonly rung: () => Rung;
  /** What the settings ask for and is not in force; told with every command. Omitted: nothing. */
  readonly confirmations?: Pick<Confirmations, 'pending' | 'trust'>;
  /** Omitted: the machine's system. */
  readonly root?: () => 'host-view' | 'userland';
  /** Our own environment: language and time zone are taken from it, nothing else. */
  readonly environment: NodeJS.ProcessEnv;
  /** Omitted: as the settings of somebody who has written none. */
  readonly limits?: Limits;
  /** The way out of sandboxes that have a network of their own. Omitted: there is none. */
  readonly network?: Network;
  /** Tests swap a guard here. */
  readonly find?: () => Promise<BubblewrapSearch>;
  readonly findProot?: () => Promise<ProotSearch>;
  readonly findContainer?: () => Promise<ContainerSearch>;
  readonly buildContainerArgs?: (plan: ContainerPlan) => string[];
  readonly buildArgs?: (plan: SandboxPlan) => string[];
  readonly seccompFilter?: (fakesOwners: boolean) => Buffer | undefined;
  readonly openFolder?: typeof openRealFolder;
  readonly ownPrograms?: () => BindOwnPrograms;
};

export type Sandbox = {
  /** Tries the machine; nothing is cached, so that a fix shows at once. */
  report(): Promise<SandboxReport>;
  /** The rung that the settings ask for. Whether it can be had shows in `report` or in `prepare`. */
  rung(): Rung;
  /** What everything that is started here may use of the machine, on whichever rung. */
  readonly limits: Limits;
  readonly network: Network | undefined;
  /** The private home that commands in this workspace get, and whose it is. Made when missing. */
  homeFor(workspace: string): { readonly folder: string; readonly uid: number; readonly gid: number };
  /** The userland that commands have as their system; undefined where they see the machine's, or there is none. */
  userland(): UserlandRecord | undefined;
  /** After every command, on whichever rung: sentences for its result. From the first one on, what is in force counts as the user's own. */
  notices(): readonly string[];
  /** Rejects with ToolFailure: unavailable (with the fixing command), denied, not_found. Not for the host rung. */
  prepare(request: LaunchRequest): Promise<Launch>;
};

/** Every command says it: the first sentences must do, the user finds the others. */
function shorten(pending: readonly string[]): readonly string[] {
  if (pending.length <= maxTold) return pending;
  const more = `${pending.length - maxTold} more changes of settings.json are not in force: handrail confirm lists them.`;
  return [...pending.slice(0, maxTold), more];
}

const maxTold = 2;

export function createSandbox(options: SandboxOptions): Sandbox {
  const parts = createSandboxParts(options);
  let found: Bubblewrap | undefined;
  let proot: Proot | undefined;
  let container: Promise<ReadyContainer> | undefined;

  const report = async (): Promise<SandboxReport> => {
    const rungs = await detectRungs({
      configured: options.rung(),
      isRoot: process.geteuid?.() === 0,
      hasSeccomp: (options.seccompFilter ?? (() => buildSeccompFilter()))(false) !== undefined,
      environment: options.environment,
      ...pickFinders(options),
    });
    const others = otherRungs(options.rung());
    const ladder = describeLadder(process.geteuid?.() === 0);
    return withRoot({ ...rungs, ladder, ...(rungs.rung === 'host' || others.length === 0 ? {} : { others }) });
  };
  const withRoot = (rungs: SandboxReport): SandboxReport =>
    options.root === undefined ? rungs : reportRoot(rungs, options.root(), options.homeFolder);

  /** Looked for once; whether its namespaces work shows by the first command, which is then explained by a report. */
  async function needBubblewrap(rung: Rung): Promise<Bubblewrap> {
    if (rung === 'namespaces' || rung === 'namespaces-shared-network') {
      found ??= (await (options.find ?? findBubblewrap)()).found;
      if (found !== undefined) return found;
    }
    throw new ToolFailure('unavailable', missingRungMessage(await report()));
  }

  return {
    report,
    rung: options.rung,
    network: options.network,
    userland: () => (options.root?.() === 'userland' ? findUserlands(options.homeFolder)[0] : undefined),
    limits:
      options.limits ??
      createLimits({ settings: () => defaultSettings.sandbox.limits, environment: options.environment }),
    homeFor(workspace) {
      const user = decideRunAs(statSync(workspace).uid);
      return { folder: parts.homeFolder(user), uid: user.uid, gid: user.gid };
    },
    notices() {
      options.confirmations?.trust();
      const label = options.rung() === 'proot' ? [`Ran with ${rungText('proot')}.`] : [];
      return [...shorten(options.confirmations?.pending() ?? []), ...label];
    },
    async prepare(request) {
      options.confirmations?.trust();
      const rung = options.rung();
      if (rung === 'container') {
        container ??= makeReady(options, report);
        container.catch(() => (container = undefined));
        return launchInContainer({ options, parts, request, sharesNetwork: false }, await container);
      }
      if (rung === 'proot') {
        proot ??= (await (options.findProot ?? findProot)()).found;
        if (proot === undefined) throw new ToolFailure('unavailable', missingRungMessage(await report()));
        return launchInProot({ options, parts, request, sharesNetwork: true }, proot);
      }
      const bubblewrap = await needBubblewrap(rung);
      const sharesNetwork = rung === 'namespaces-shared-network';
      return launchInNamespaces({ options, parts, request, sharesNetwork }, bubblewrap, rung);
    },
  };
}

/** Tried once; a start costs too much to try before each. */
async function makeReady(options: SandboxOptions, report: () => Promise<SandboxReport>): Promise<ReadyContainer> {
  const { found } = await (options.findContainer ?? findContainer)();
  const trial = found === undefined ? undefined : await tryContainer(found, options.environment);
  if (found === undefined || trial === undefined || 'problem' in trial) {
    throw new ToolFailure('unavailable', missingRungMessage(await report()));
  }
  await removeOrphanContainers(found, options.environment);
  return { tool: found, hasGroups: trial.hasGroups, image: (root) => importRoot(found, root, options.environment) };
}

function pickFinders({ find, findProot: proot, findContainer: container }: SandboxOptions): Partial<Detection> {
  return {
    ...(find === undefined ? {} : { find }),
    ...(proot === undefined ? {} : { findProot: proot }),
    ...(container === undefined ? {} : { findContainer: container }),
  };
}
