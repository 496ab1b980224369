/** Decides what one program will see, whichever rung shows it: who it is, its home, its workspace, its /etc, what is hidden. */
import type { SandboxOptions } from './create-sandbox.ts';
import { findHiddenPaths, type HiddenPath } from './hidden-paths.ts';
import { findMachineShell, homePathFor } from './host-view.ts';
import { systemPrograms } from './own-programs.ts';
import { isInside } from './path-relation.ts';
import { openRealFolder } from './real-folder.ts';
import { decideRunAs, type RunAs } from './run-as.ts';
import { sandboxEnvironment } from './sandbox-environment.ts';
import type { Bind, LaunchRequest, LaunchView } from './sandbox-launch.ts';
import type { SandboxParts } from './sandbox-parts.ts';
import { checkUsableWorkspace } from './usable-workspace.ts';
import { requireUserland, treeIn } from './userland-place.ts';
import { readUserlandView, type UserlandView } from './userland-view.ts';

export type ViewPlan = {
  readonly sharesNetwork: boolean;
  readonly runAs: RunAs;
  /** Top-level names that are links on this machine (`/bin` to `usr/bin`), and those that are folders. */
  readonly rootLinks: readonly { readonly path: string; readonly target: string }[];
  readonly systemFolders: readonly string[];
  /** Undefined in the host view. Else the system is this, and the fields for the machine's system and /etc are empty. */
  readonly userland: UserlandView | undefined;
  /** Our own /etc, and the names of the machine's entries to bind on top of it. */
  readonly etc: { readonly source: string; readonly bound: readonly string[] };
  readonly home: { readonly source: string; readonly path: string };
  readonly workspace: { readonly source: string; readonly path: string };
  readonly hidden: readonly HiddenPath[];
  readonly binds: readonly Bind[];
  readonly keepsTerminal: boolean;
  readonly environment: Readonly<Record<string, string>>;
};

export type PlanRequest = {
  readonly options: SandboxOptions;
  readonly parts: SandboxParts;
  readonly request: LaunchRequest;
  readonly sharesNetwork: boolean;
  /** Omitted: true. */
  readonly takesHandles?: boolean;
};

export type View = { readonly plan: ViewPlan; readonly view: LaunchView };

/** Rejects with ToolFailure: denied, not_found, unavailable. */
export function planView(wanted: PlanRequest): View {
  const { options, parts, request, sharesNetwork } = wanted;
  const openFolder = options.openFolder ?? openRealFolder;
  checkUsableWorkspace(request.workspace, options.stateFolder, options.userHome);
  const workspace = openFolder(request.workspace, 'The workspace');
  const user = decideRunAs(workspace.uid);
  const tree = findTree(wanted, user);
  const userland = tree === undefined ? undefined : readUserlandView(tree, request.workspace);
  // A package manager wants to be root; it is nobody outside.
  const runAs = userland === undefined ? user : { ...user, insideUid: 0, insideGid: 0 };
  const home = openFolder(parts.homeFolder(runAs), "The sandbox's home");
  const homePath = homePathFor(request.workspace);
  if (isInside(options.stateFolder, request.workspace)) openFolder(options.stateFolder, 'The state folder');
  const hidden = findHiddenPaths(request.workspace, [options.stateFolder, ...(options.hiddenPaths ?? [])]);
  const environment: Record<string, string> = {
    ...sandboxEnvironment(homePath, options.environment),
    ...(userland === undefined ? {} : { USER: 'root', LOGNAME: 'root', SHELL: userland.shell }),
  };
  const privateFolder = parts.privateFolder(runAs);
  const own = userland === undefined ? undefined : parts.bindOwnPrograms(privateFolder);
  const plan: ViewPlan = {
    sharesNetwork,
    runAs,
    ...machineSystem(wanted, userland, runAs, homePath),
    userland,
    home: { source: home.path, path: homePath },
    workspace: { source: workspace.path, path: workspace.path },
    hidden,
    binds: eachOnce([
      ...(own === undefined ? [] : [own.bind]),
      ...(request.binds?.({
        ...{ folder: privateFolder, home: home.path, uid: runAs.uid, gid: runAs.gid },
        takesHandles: wanted.takesHandles ?? true,
      }) ?? []),
    ]),
    keepsTerminal: request.keepsTerminal === true,
    environment: { ...environment, ...request.environment },
  };
  const replaceable = userland?.checks ?? [];
  const checks = {
    paths: [workspace.path, homePath, ...replaceable.map((entry) => entry.path), ...hidden.map((entry) => entry.path)],
    expected: [workspace.id, home.id, ...replaceable.map((entry) => entry.id)],
    forbidden: hidden.map((entry) => entry.id),
  };
  const shell = userland?.shell ?? findMachineShell();
  const filledPaths = [workspace.path, home.path];
  const path = environment['PATH'] ?? '';
  const ownPrograms = own?.programs ?? systemPrograms;
  return { plan, view: { home: homePath, path, shell, isOwnNamespace: true, filledPaths, checks, ownPrograms } };
}

/** Two may ask for the same: our Node, for example. */
function eachOnce(binds: readonly Bind[]): readonly Bind[] {
  return [...new Map(binds.map((bind) => [bind.path, bind])).values()];
}

/** Rejects with ToolFailure('unavailable') when the settings ask for a userland that is not there. */
function findTree({ options, request }: PlanRequest, runAs: RunAs): string | undefined {
  if (request.tree !== undefined) return request.tree;
  if (options.root?.() !== 'userland') return undefined;
  return treeIn(requireUserland(options.homeFolder, runAs).folder);
}

function machineSystem(
  { parts, sharesNetwork }: PlanRequest,
  userland: UserlandView | undefined,
  runAs: RunAs,
  home: string,
): Pick<ViewPlan, 'rootLinks' | 'systemFolders' | 'etc'> {
  if (userland !== undefined) return { rootLinks: [], systemFolders: [], etc: { source: '', bound: [] } };
  const etc = parts.etc({ runAs, home, sharesNetwork });
  return { ...parts.hostView(), etc: { source: etc.folder, bound: etc.bound } };
}
