/** One command, shell or job that is looked at from outside while it runs, and what is remembered of it from look to look. */
import type { DiskLook } from './disk-use.ts';
import type { LimitFigures } from './limit-figures.ts';

export type WatchRequest = {
  /** The process that everything else descends from, as seen from here: the launcher. Never killed by us. */
  readonly pid: number;
  /** Folders on whose file systems it can write, as the user knows them. */
  readonly paths: readonly string[];
  /** Folders of the sandbox's own that are kept in memory, as seen inside. */
  readonly innerPaths: readonly string[];
  /** A process that sees them, once there is one. Omitted: they are not looked at. */
  readonly inside?: () => number | undefined;
  readonly figures: LimitFigures;
  /** What the kernel holds already. */
  readonly held: { readonly memory: boolean; readonly cpu: boolean };
  /** It is at a limit, or its biggest processes were killed; the command may go on. Again at every look. */
  readonly onHit: (note: string) => void;
  /** Nothing but ending it all helps. Called once. */
  readonly onExceeded: (note: string) => void;
};

export type Watched = {
  readonly request: WatchRequest;
  readonly before: Map<number, DiskLook>;
  isReady: Promise<void>;
  isOver: boolean;
  isLowered: boolean;
  /** Looks at its processes that may be left out: it is far from its limit. */
  rest: number;
  /** Every look, or one of many. */
  every: number;
  /** By the monotonic clock. */
  beganAtMs: number;
  /** What it had done when it was first found to be beyond a limit on a disk. */
  suspicion: Work | undefined;
};

export type Work = { readonly writtenBytes: number; readonly processorTicks: number };
