/** For `doctor`: which mechanism holds which limit on this machine, and what to do about those that none holds well. */
import type { GroupPlace } from './group-place.ts';
import type { ScopeMaker } from './systemd-scope.ts';

export type LimitReport = {
  readonly limit: 'memory' | 'processes' | 'processor time' | 'files and disks';
  readonly heldBy: string;
  /** It holds the sum of all processes, before anything is lost. */
  readonly isHeld: boolean;
  /** What would make it better. */
  readonly fix?: string;
};

export type DescribeOptions = {
  readonly places: readonly GroupPlace[];
  readonly scope: ScopeMaker | undefined;
  /** RLIMIT_NPROC counts per user namespace here. */
  readonly perNamespace: boolean;
  readonly isRoot: boolean;
};

const delegation =
  'Let systemd give your user control groups: log in by a session that systemd knows (`loginctl`), or run Handrail as a service with Delegate=yes.';

export function describeLimits(options: DescribeOptions): readonly LimitReport[] {
  const { isRoot, perNamespace } = options;
  const fix = isRoot
    ? 'Mount control groups writable: in a container, start it with its own cgroup namespace.'
    : delegation;
  const by = (controller: 'memory' | 'pids' | 'cpu'): string | undefined => {
    const place = options.places.find(({ controllers }) => controllers.includes(controller));
    if (place !== undefined) return `control groups version ${place.version}`;
    return options.scope === undefined ? undefined : 'a systemd scope for each command';
  };
  const memory = by('memory');
  const processes = by('pids');
  const cpu = by('cpu');
  return [
    memory === undefined
      ? {
          limit: 'memory',
          heldBy: 'looking at the processes four times a second; RLIMIT_DATA of each where the settings name a limit',
          isHeld: false,
          fix,
        }
      : { limit: 'memory', heldBy: memory, isHeld: true },
    processes === undefined
      ? processReport({ isRoot, perNamespace, fix })
      : { limit: 'processes', heldBy: processes, isHeld: true },
    cpu === undefined
      ? { limit: 'processor time', heldBy: 'a lower priority after a quarter of a second', isHeld: false, fix }
      : { limit: 'processor time', heldBy: cpu, isHeld: true },
    {
      limit: 'files and disks',
      heldBy: 'RLIMIT_FSIZE and RLIMIT_NOFILE for each process, and looking at the disks four times a second',
      isHeld: true,
    },
  ];
}

function processReport(options: { isRoot: boolean; perNamespace: boolean; fix: string }): LimitReport {
  const { isRoot, perNamespace, fix } = options;
  if (isRoot) {
    return { limit: 'processes', heldBy: 'nothing: RLIMIT_NPROC does not bind root', isHeld: false, fix };
  }
  return perNamespace
    ? { limit: 'processes', heldBy: 'RLIMIT_NPROC in a user namespace of its own', isHeld: true }
    : { limit: 'processes', heldBy: "RLIMIT_NPROC on top of your user's other processes", isHeld: true };
}
