/** Makes sandboxes: decides who runs, verifies the folders, prepares the view and writes the command line that starts it. */
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';
import type { Rung, SandboxReport } from '../../contract/services.ts';
import { buildBwrapArgs, type SandboxPlan } from './bwrap-args.ts';
import { detectRungs, missingRungMessage } from './detect-rungs.ts';
import { sandboxUser } from './etc-entries.ts';
import { type EtcFolder, prepareEtcFolder } from './etc-folder.ts';
import { type BubblewrapSearch, findBubblewrap } from './find-bubblewrap.ts';
import { findHiddenPaths } from './hidden-paths.ts';
import { type HostView, homePathFor, readHostView } from './host-view.ts';
import { findProcGuards } from './proc-guards.ts';
import { openRealFolder } from './real-folder.ts';
import { decideRunAs, homeFolderFor, type RunAs } from './run-as.ts';
import { sandboxEnvironment } from './sandbox-environment.ts';
import type { Handle, Launch, LaunchRequest } from './sandbox-launch.ts';
import { buildSeccompFilter } from './seccomp-filter.ts';
import { stagedLaunch } from './staged-launch.ts';
import { checkUsableWorkspace } from './usable-workspace.ts';

export type SandboxOptions = {
  /** Ours alone; never visible inside, also when the workspace holds it. */
  readonly stateFolder: string;
  /** The private home, shared by all conversations. Made when missing. */
  readonly homeFolder: string;
  /** The user's own home, which no workspace may hold. */
  readonly userHome: string;
  /** Further absolute paths that are hidden where the workspace holds them. */
  readonly hiddenPaths?: readonly string[];
  /** As the settings say now. */
  readonly rung: () => Rung;
  /** Our own environment: language and time zone are taken from it, nothing else. */
  readonly environment: NodeJS.ProcessEnv;
  /** Tests swap a guard here. */
  readonly find?: () => Promise<BubblewrapSearch>;
  readonly buildArgs?: (plan: SandboxPlan) => string[];
  readonly seccompFilter?: () => Buffer | undefined;
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
  const buildArgs = options.buildArgs ?? buildBwrapArgs;
  const report = (): Promise<SandboxReport> =>
    detectRungs({
      configured: options.rung(),
      isRoot: process.geteuid?.() === 0,
      hasSeccomp: buildSeccompFilter() !== undefined,
      ...(options.find === undefined ? {} : { find: options.find }),
    });
  const parts = createParts(options, report);

  return {
    report,
    rung: options.rung,
    async prepare(request) {
      const sharesNetwork = options.rung() === 'namespaces-shared-network';
      const bubblewrap = await parts.bubblewrap();
      checkUsableWorkspace(request.workspace, options.stateFolder, options.userHome);
      const workspace = openRealFolder(request.workspace, 'The workspace');
      const runAs = decideRunAs(request.workspace);
      const homePath = homePathFor(request.workspace);
      const home = openRealFolder(parts.homeFolder(runAs), "The sandbox's home");
      if (options.stateFolder.startsWith(`${request.workspace}/`))
        openRealFolder(options.stateFolder, 'The state folder');
      const hidden = findHiddenPaths(request.workspace, [options.stateFolder, ...(options.hiddenPaths ?? [])]);
      const etc = await parts.etc(runAs, homePath, sharesNetwork);
      const seccomp = parts.seccompFile();
      const status = request.firstHandle + 1;
      const environment = sandboxEnvironment(homePath, options.environment);
      const program = request.program({
        home: homePath,
        path: environment['PATH'] ?? '',
        checks: {
          paths: [workspace.path, homePath, ...hidden.map((entry) => entry.path)],
          expected: [workspace.id, home.id],
          forbidden: hidden.map((entry) => entry.id),
        },
      });
      const plan: SandboxPlan = {
        bubblewrap,
        sharesNetwork,
        runAs,
        ...parts.hostView(),
        etc: { source: etc.folder, bound: etc.bound },
        procGuards: runAs.manner === 'root' ? findProcGuards() : ['/proc/sys'],
        home: { source: home.path, path: homePath },
        workspace: { source: workspace.path, path: workspace.path },
        hidden,
        environment: { ...environment, ...request.environment },
        handles: { status, seccomp: seccomp === undefined ? undefined : status + 1 },
      };
      const staged = stagedLaunch(plan);
      const feed = Buffer.from(`${buildArgs(staged.plan).join('\0')}\0`);
      const handles: Handle[] = [{ kind: 'bytes', bytes: feed }, { kind: 'status' }];
      if (seccomp !== undefined) handles.push({ kind: 'file', path: seccomp });
      const commandLine = [...staged.prefix, bubblewrap.path, '--args', `${request.firstHandle}`, '--', ...program];
      return {
        rung: sharesNetwork ? 'namespaces-shared-network' : 'namespaces',
        file: commandLine[0] ?? bubblewrap.path,
        args: commandLine.slice(1),
        launcherEnvironment: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
        handles,
        uid: runAs.uid,
        gid: runAs.gid,
      };
    },
  };
}

/** What is made once and kept: the program, the view of the system, the prepared /etc and the filter's file. */
function createParts(options: SandboxOptions, report: () => Promise<SandboxReport>) {
  const folder = join(options.stateFolder, 'sandbox');
  const etcFolders = new Map<string, { readonly folder: Promise<EtcFolder>; readonly madeAtMs: number }>();
  let found: Awaited<ReturnType<typeof findBubblewrap>>['found'];
  let view: HostView | undefined;
  let seccompPath: string | undefined;

  return {
    async bubblewrap() {
      const configured = options.rung();
      if (configured !== 'namespaces' && configured !== 'namespaces-shared-network') {
        throw new ToolFailure('unavailable', missingRungMessage(await report()));
      }
      found ??= (await (options.find ?? findBubblewrap)()).found;
      if (found === undefined) throw new ToolFailure('unavailable', missingRungMessage(await report()));
      return found;
    },
    hostView(): HostView {
      return (view ??= readHostView());
    },
    homeFolder(runAs: RunAs): string {
      const path = homeFolderFor(options.homeFolder, runAs);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      if (mkdirIfMissing(path)) chownSync(path, runAs.uid, runAs.gid);
      return path;
    },
    /** Looked at again every minute: certificates and alternatives change while we run. */
    etc(runAs: RunAs, home: string, sharesNetwork: boolean): Promise<EtcFolder> {
      const key = `${runAs.insideUid}:${runAs.insideGid}:${home}:${sharesNetwork}`;
      const known = etcFolders.get(key);
      if (known !== undefined && performance.now() - known.madeAtMs < 60_000) return known.folder;
      const accounts = { name: sandboxUser, uid: runAs.insideUid, gid: runAs.insideGid, home };
      const made = prepareEtcFolder({ parent: folder, accounts, sharesNetwork });
      etcFolders.set(key, { folder: made, madeAtMs: performance.now() });
      made.catch(() => etcFolders.delete(key));
      return made;
    },
    seccompFile(): string | undefined {
      if (seccompPath !== undefined) return seccompPath;
      const filter = (options.seccompFilter ?? buildSeccompFilter)();
      if (filter === undefined) return undefined;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `seccomp-${process.arch}-${filter.length}.bpf`);
      writeFileSync(path, filter, { mode: 0o600 });
      seccompPath = path;
      return path;
    },
  };
}

function mkdirIfMissing(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
