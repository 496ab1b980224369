/** What shells, commands and jobs may use of the machine: finds once what the kernel offers, then gives each its own limits. */
import type { LimitSettings } from '../../contract/settings.ts';
import { canEnterGroup } from './enter-groups.ts';
import { type GroupFiles, machineFiles } from './group-files.ts';
import { findGroupPlaces, type GroupPlace } from './group-place.ts';
import { describeLimits, type LimitReport } from './describe-limits.ts';
import {
  decideFigures,
  type LimitFigures,
  readMachineMemory,
  readMostOpenFiles,
  shareOfMachine,
  temporarySize,
} from './limit-figures.ts';
import { createLimitGroup, type LimitGroup } from './limit-group.ts';
import { hasLimitPerNamespace, resourceLimitScript } from './resource-limits.ts';
import { findScopeMaker, type ScopeMaker } from './systemd-scope.ts';
import { countOwnTasks } from './own-tasks.ts';
import { createWatcher } from './watch-processes.ts';

export type LimitsOptions = {
  /** As the settings say now. */
  readonly settings: () => LimitSettings;
  readonly environment: NodeJS.ProcessEnv;
  /** Tests give another machine here. */
  readonly machine?: Partial<Machine>;
};

export type Machine = {
  readonly files: GroupFiles;
  readonly isRoot: boolean;
  readonly canEnter: (entrance: string) => boolean;
  readonly findScope: (environment: NodeJS.ProcessEnv) => ScopeMaker | undefined;
  readonly kernel: string | undefined;
  readonly memoryBytes: () => number;
};

export type GroupRequest = {
  /**
   * The command gets no user namespace of its own (the host rung, proot): what is counted per user counts all of that user's
   * processes, and programs see the user's own limits where ours are not needed.
   */
  readonly isOnHost?: boolean;
};

export type Limits = {
  /** Cheap from the second time on. Never throws: what cannot be limited is said by `describe`. */
  group(request?: GroupRequest): LimitGroup;
  /** What one group gets, for those who have it limited by somebody else (a container's runtime). */
  figures(): LimitFigures;
  /** How large each of the sandbox's own file systems in memory may be, so that programs have some left when they are full. */
  temporaryBytes(): number;
  /** For `doctor`: what holds each limit on this machine. */
  describe(): readonly LimitReport[];
  close(): void;
};

type Means = { readonly places: readonly GroupPlace[]; readonly scope: ScopeMaker | undefined };

export function createLimits(options: LimitsOptions): Limits {
  const machine: Machine = { ...thisMachine(), ...options.machine };
  const watcher = createWatcher();
  const perNamespace = hasLimitPerNamespace(machine.kernel);
  let found: Means | undefined;

  function means(): Means {
    if (found !== undefined) return found;
    const { files, isRoot, canEnter } = machine;
    const places = findGroupPlaces({ files, isRoot, canEnter, pid: process.pid });
    const scope = places.length > 0 ? undefined : machine.findScope(options.environment);
    return (found = { places, scope });
  }

  function groupWith({ places, scope }: Means, { isOnHost = false }: GroupRequest): LimitGroup {
    const figures = decideFigures(options.settings(), machine.memoryBytes());
    const together = { ...figures, memoryBytes: Math.max(figures.memoryBytes, shareOfMachine(machine.memoryBytes())) };
    const holdsMemory = scope !== undefined || places.some((place) => place.controllers.includes('memory'));
    // What reserves terabytes that it never touches, as sanitizers do, runs unless somebody wants a limit of their own.
    const limitsData = !holdsMemory && options.settings().memoryMegabytes !== undefined;
    const isCounted = scope !== undefined || places.some((place) => place.controllers.includes('pids'));
    // A limit per user is none for the machine's root; on the host it is set where nothing better is.
    const isPerUser = isOnHost || !perNamespace;
    const others = isPerUser && !isCounted && !machine.isRoot ? countOwnTasks() : 0;
    const processes = isPerUser && isCounted ? undefined : figures.processes + others;
    const rlimits = resourceLimitScript({
      figures,
      processes,
      limitsData,
      mostOpenFiles: readMostOpenFiles(),
      isOnHost,
    });
    const { files } = machine;
    return createLimitGroup({ files, places, scope, figures, together, rlimits, limitsData, watcher });
  }

  return {
    group(request = {}) {
      try {
        return groupWith(means(), request);
      } catch {
        // The groups found before are no longer ours to use: look anew once, and else do without.
        found = undefined;
      }
      try {
        return groupWith(means(), request);
      } catch {
        // As above. The watcher and what each process carries hold then.
        return groupWith({ places: [], scope: undefined }, request);
      }
    },
    figures: () => decideFigures(options.settings(), machine.memoryBytes()),
    temporaryBytes: () => temporarySize(decideFigures(options.settings(), machine.memoryBytes()).memoryBytes),
    describe: () => describeLimits({ ...means(), perNamespace, isRoot: machine.isRoot }),
    close: () => watcher.close(),
  };
}

const thisMachine = (): Machine => ({
  files: machineFiles,
  isRoot: process.geteuid?.() === 0,
  canEnter: canEnterGroup,
  findScope: findScopeMaker,
  kernel: undefined,
  memoryBytes: readMachineMemory,
});
