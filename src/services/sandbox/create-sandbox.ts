/** Makes sandboxes: finds what the configured rung needs, and has the command line written that starts a program on it. */
import { ToolFailure } from '../../contract/failure.ts';
import type { Rung, SandboxReport } from '../../contract/services.ts';
import type { SandboxPlan } from './bwrap-args.ts';
import { detectRungs, missingRungMessage } from './detect-rungs.ts';
import { type Bubblewrap, type BubblewrapSearch, findBubblewrap } from './find-bubblewrap.ts';
import { findProot, type Proot, type ProotSearch } from './find-proot.ts';
import { launchInProot } from './launch-in-proot.ts';
import { launchInNamespaces } from './launch-in-namespaces.ts';
import type { openRealFolder } from './real-folder.ts';
import type { Launch, LaunchRequest } from './sandbox-launch.ts';
import { createSandboxParts } from './sandbox-parts.ts';
import { buildSeccompFilter } from './seccomp-filter.ts';

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
  /** Omitted: the machine's system. */
  readonly root?: () => 'host-view' | 'userland';
  /** Our own environment: language and time zone are taken from it, nothing else. */
  readonly environment: NodeJS.ProcessEnv;
  /** Tests swap a guard here. */
  readonly find?: () => Promise<BubblewrapSearch>;
  readonly findProot?: () => Promise<ProotSearch>;
  readonly buildArgs?: (plan: SandboxPlan) => string[];
  readonly seccompFilter?: (fakesOwners: boolean) => Buffer | undefined;
  readonly openFolder?: typeof openRealFolder;
};

export type Sandbox = {
  /** Tries the machine; nothing is cached, so that a fix shows at once. */
  report(): Promise<SandboxReport>;
  /** The rung that the settings ask for. Whether it can be had shows in `report` or in `prepare`. */
  rung(): Rung;
  /** Rejects with ToolFailure: unavailable (with the fixing command), denied, not_found. Not for the host rung. */
  prepare(request: LaunchRequest): Promise<Launch>;
};

export function createSandbox(options: SandboxOptions): Sandbox {
  const parts = createSandboxParts(options);
  let found: Bubblewrap | undefined;
  let proot: Proot | undefined;

  const report = (): Promise<SandboxReport> =>
    detectRungs({
      configured: options.rung(),
      isRoot: process.geteuid?.() === 0,
      hasSeccomp: (options.seccompFilter ?? (() => buildSeccompFilter()))(false) !== undefined,
      ...(options.find === undefined ? {} : { find: options.find }),
    });

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
    async prepare(request) {
      const rung = options.rung();
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
