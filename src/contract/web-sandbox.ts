/**
 * What the server and its pages say to each other about the sandbox itself: its rung, the userland, its packages.
 *
 * | method and path | takes | gives |
 * |---|---|---|
 * | GET /api/sandbox | WebSandboxQuery | WebSandbox |
 * | GET /api/sandbox/packages | WebPackageQuery | UserlandPackage[]: those installed, or those that fit `search` |
 * | POST /api/sandbox/work | WebNewSandboxWork | WebSandboxWork: it has begun; `busy` while another one runs |
 * | POST /api/sandbox/work/stop | | Done: it ends soon, and its end says so |
 * | DELETE /api/sandbox/work | | Done: how it ended was seen, and is forgotten |
 * | GET /api/sandbox/work | | WebSandboxProgress: how it goes, or how the last one ended |
 *
 * One piece of work at a time. It belongs to the server: a page that is closed or loaded anew ends nothing, and how it ended is
 * kept until a page says that it was seen, or until the next piece of work. How it goes comes by GET /api/stream (`sandbox-work`,
 * `sandbox-output`, and in its snapshot). It ends with the server; an installation that was cut
 * off goes on where it stopped when it is begun again.
 */
import type { SandboxReport } from './services.ts';
import type { UserlandDistribution, UserlandProgress, UserlandStatus } from './userland.ts';

/** Whose sandbox: that of the folder which the conversation works in. Omitted: where new conversations work. */
export type WebSandboxQuery = { readonly conversation?: string };

export type WebSandbox = { readonly report: SandboxReport; readonly userland: UserlandStatus };

export type WebPackageQuery = WebSandboxQuery & {
  /** A word. Omitted: those that are installed. */
  readonly search?: string;
};

export type WebSandboxAction =
  | {
      readonly kind: 'install';
      /** Omitted: what is installed already, else what the settings say. */
      readonly distribution?: UserlandDistribution;
      readonly version?: string;
      readonly isBare?: boolean;
      readonly replaces?: boolean;
    }
  | { readonly kind: 'add-basic' }
  | { readonly kind: 'reset'; readonly withHome?: boolean }
  | { readonly kind: 'uninstall' }
  | { readonly kind: 'install-packages' | 'remove-packages'; readonly names: readonly string[] };

export type WebNewSandboxWork = WebSandboxQuery & { readonly action: WebSandboxAction };

export type WebSandboxWork = {
  readonly id: string;
  readonly action: WebSandboxAction;
  /** The userland that it changes, as `UserlandStatus.folder`. */
  readonly folder: string;
  readonly startedAt: string;
  /** The newest of each step, in the order in which they came. */
  readonly progress: readonly UserlandProgress[];
  /** Omitted: it goes on. */
  readonly end?: WebSandboxEnd;
};

export type WebSandboxEnd = {
  readonly at: string;
  readonly isStopped: boolean;
  /** Names the step and what to do. Omitted: it went well. */
  readonly problem?: string;
};

/** `work` omitted: there is none, or how it ended was seen. `output`: what the package manager printed, its last 64,000 characters. */
export type WebSandboxProgress = { readonly work?: WebSandboxWork; readonly output: string };
