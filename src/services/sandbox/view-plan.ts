/** Decides what one program will see, whichever rung shows it: who it is, its home, its workspace, its /etc, what is hidden. */
import type { SandboxOptions } from './create-sandbox.ts';
import { findHiddenPaths, type HiddenPath } from './hidden-paths.ts';
import { homePathFor } from './host-view.ts';
import { isInside } from './path-relation.ts';
import { openRealFolder } from './real-folder.ts';
import { decideRunAs, type RunAs } from './run-as.ts';
import { sandboxEnvironment } from './sandbox-environment.ts';
import type { Bind, LaunchRequest, LaunchView } from './sandbox-launch.ts';
import type { SandboxParts } from './sandbox-parts.ts';
import { checkUsableWorkspace } from './usable-workspace.ts';

export type ViewPlan = {
  readonly sharesNetwork: boolean;
  readonly runAs: RunAs;
  /** Top-level names that are links on this machine (`/bin` to `usr/bin`), and those that are folders. */
  readonly rootLinks: readonly { readonly path: string; readonly target: string }[];
  readonly systemFolders: readonly string[];
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
  /** Where the home appears. Omitted: at the usual place. */
  readonly homePath?: (source: string) => string;
};

export type View = { readonly plan: ViewPlan; readonly view: LaunchView };

/** Rejects with ToolFailure: denied, not_found, unavailable. */
export function planView(wanted: PlanRequest): View {
  const { options, parts, request, sharesNetwork } = wanted;
  const openFolder = options.openFolder ?? openRealFolder;
  checkUsableWorkspace(request.workspace, options.stateFolder, options.userHome);
  const workspace = openFolder(request.workspace, 'The workspace');
  const runAs = decideRunAs(workspace.uid);
  const home = openFolder(parts.homeFolder(runAs), "The sandbox's home");
  const homePath = wanted.homePath?.(home.path) ?? homePathFor(request.workspace);
  if (isInside(options.stateFolder, request.workspace)) openFolder(options.stateFolder, 'The state folder');
  const hidden = findHiddenPaths(request.workspace, [options.stateFolder, ...(options.hiddenPaths ?? [])]);
  const etc = parts.etc({ runAs, home: homePath, sharesNetwork });
  const environment = sandboxEnvironment(homePath, options.environment);
  const plan: ViewPlan = {
    sharesNetwork,
    runAs,
    ...parts.hostView(),
    etc: { source: etc.folder, bound: etc.bound },
    home: { source: home.path, path: homePath },
    workspace: { source: workspace.path, path: workspace.path },
    hidden,
    binds: request.binds?.({ folder: parts.privateFolder(runAs), uid: runAs.uid, gid: runAs.gid }) ?? [],
    keepsTerminal: request.keepsTerminal === true,
    environment: { ...environment, ...request.environment },
  };
  const checks = {
    paths: [workspace.path, homePath, ...hidden.map((entry) => entry.path)],
    expected: [workspace.id, home.id],
    forbidden: hidden.map((entry) => entry.id),
  };
  return { plan, view: { home: homePath, path: environment['PATH'] ?? '', checks } };
}
