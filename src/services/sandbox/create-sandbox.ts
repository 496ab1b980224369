/** Makes sandboxes: decides who runs, verifies the folders, prepares the view and writes the command line that starts it. */
import { ToolFailure } from '../../contract/failure.ts';
import type { Rung, SandboxReport } from '../../contract/services.ts';
import { buildBwrapArgs, type SandboxPlan } from './bwrap-args.ts';
import { detectRungs, missingRungMessage } from './detect-rungs.ts';
import { type Bubblewrap, type BubblewrapSearch, findBubblewrap } from './find-bubblewrap.ts';
import { findHiddenPaths } from './hidden-paths.ts';
import { homePathFor } from './host-view.ts';
import { isInside } from './path-relation.ts';
import { openRealFolder } from './real-folder.ts';
import { decideRunAs } from './run-as.ts';
import { sandboxEnvironment } from './sandbox-environment.ts';
import type { Handle, Launch, LaunchRequest, LaunchView } from './sandbox-launch.ts';
import { createSandboxParts, type SandboxParts } from './sandbox-parts.ts';
import { buildSeccompFilter } from './seccomp-filter.ts';
import { stagedLaunch } from './staged-launch.ts';
import { checkUsableWorkspace } from './usable-workspace.ts';

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
  /** Our own environment: language and time zone are taken from it, nothing else. */
  readonly environment: NodeJS.ProcessEnv;
  /** Tests swap a guard here. */
  readonly find?: () => Promise<BubblewrapSearch>;
  readonly buildArgs?: (plan: SandboxPlan) => string[];
  readonly seccompFilter?: () => Buffer | undefined;
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

  const report = (): Promise<SandboxReport> =>
    detectRungs({
      configured: options.rung(),
      isRoot: process.geteuid?.() === 0,
      hasSeccomp: (options.seccompFilter ?? buildSeccompFilter)() !== undefined,
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
      const bubblewrap = await needBubblewrap(rung);
      const { plan, view } = makePlan({ options, parts, request, rung, bubblewrap });
      return makeLaunch({
        plan,
        rung,
        request,
        program: request.program(view),
        seccompFile: parts.seccompFile(),
        build: options.buildArgs ?? buildBwrapArgs,
      });
    },
  };
}

type PlanRequest = {
  readonly options: SandboxOptions;
  readonly parts: SandboxParts;
  readonly request: LaunchRequest;
  readonly rung: Rung;
  readonly bubblewrap: Bubblewrap;
};

function makePlan(wanted: PlanRequest): { plan: SandboxPlan; view: LaunchView } {
  const { options, parts, request, bubblewrap } = wanted;
  const openFolder = options.openFolder ?? openRealFolder;
  const sharesNetwork = wanted.rung === 'namespaces-shared-network';
  checkUsableWorkspace(request.workspace, options.stateFolder, options.userHome);
  const workspace = openFolder(request.workspace, 'The workspace');
  const runAs = decideRunAs(workspace.uid);
  const homePath = homePathFor(request.workspace);
  const home = openFolder(parts.homeFolder(runAs), "The sandbox's home");
  if (isInside(options.stateFolder, request.workspace)) openFolder(options.stateFolder, 'The state folder');
  const hidden = findHiddenPaths(request.workspace, [options.stateFolder, ...(options.hiddenPaths ?? [])]);
  const etc = parts.etc({ runAs, home: homePath, sharesNetwork });
  const environment = sandboxEnvironment(homePath, options.environment);
  const status = request.firstHandle + 1;
  const plan: SandboxPlan = {
    bubblewrap,
    sharesNetwork,
    runAs,
    ...parts.hostView(),
    etc: { source: etc.folder, bound: etc.bound },
    procGuards: parts.procGuards(runAs),
    home: { source: home.path, path: homePath },
    workspace: { source: workspace.path, path: workspace.path },
    hidden,
    binds: request.binds?.({ folder: parts.privateFolder(runAs), uid: runAs.uid, gid: runAs.gid }) ?? [],
    keepsTerminal: request.keepsTerminal === true,
    environment: { ...environment, ...request.environment },
    handles: { status, seccomp: parts.seccompFile() === undefined ? undefined : status + 1 },
  };
  const checks = {
    paths: [workspace.path, homePath, ...hidden.map((entry) => entry.path)],
    expected: [workspace.id, home.id],
    forbidden: hidden.map((entry) => entry.id),
  };
  return { plan, view: { home: homePath, path: environment['PATH'] ?? '', checks } };
}

function makeLaunch(wanted: {
  readonly plan: SandboxPlan;
  readonly rung: Rung;
  readonly request: LaunchRequest;
  readonly program: readonly string[];
  readonly seccompFile: string | undefined;
  readonly build: (plan: SandboxPlan) => string[];
}): Launch {
  const { prefix, plan } = stagedLaunch(wanted.plan);
  // By a pipe, not as arguments: every user of the machine can read those, and a variable's value may be a secret.
  const bytes = Buffer.from(`${wanted.build(plan).join('\0')}\0`);
  const handles: Handle[] = [{ kind: 'bytes', bytes }, { kind: 'status' }];
  if (wanted.seccompFile !== undefined) handles.push({ kind: 'file', path: wanted.seccompFile });
  const [file = plan.bubblewrap.path, ...args] = [
    ...[...prefix, plan.bubblewrap.path, '--args', `${wanted.request.firstHandle}`, '--'],
    ...wanted.program,
  ];
  const launcherEnvironment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
  return {
    rung: wanted.rung,
    file,
    args,
    launcherEnvironment,
    handles,
    uid: plan.runAs.uid,
    gid: plan.runAs.gid,
    isRoot: plan.runAs.manner === 'root',
    tree: { kind: 'namespace', initPid: bubblewrapInitPid },
    release: () => Promise.resolve(),
  };
}

/** bwrap(1), --json-status-fd. As seen from out here. */
function bubblewrapInitPid(status: string): number | undefined {
  const pid = Number(/"child-pid"\s*:\s*(\d+)/.exec(status)?.[1]);
  return pid > 1 ? pid : undefined;
}
