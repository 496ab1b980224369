/** Has everything made ready for one program in a sandbox: its view, its limits, its way out, the command line that starts it. */
import { isInside } from '../../base/is-inside.ts';
import { isBehindProxy } from '../../base/rung-isolation.ts';
import type { NetworkEntry, WayOut } from '../net/network-entry.ts';
import type { LimitGroup } from '../limits/limit-group.ts';
import type { Launch, LaunchRequest, LaunchView } from '../sandbox/sandbox-launch.ts';
import { bindTemporary } from '../sandbox/shared-temporary.ts';
import { bindNode } from '../sandbox/node-bind.ts';
import { firstProcess, firstProcessEnvironment } from './first-process.ts';
import { gateName } from './open-gate.ts';
import type { ProgramStart } from './start-program.ts';

export type PreparedProgram = {
  readonly launch: Launch;
  readonly view: LaunchView;
  readonly cwd: string;
  readonly limits: LimitGroup;
  /** Undefined where there is none, or the machine's own. */
  readonly wayOut: WayOut | undefined;
};

/** The program's own handles begin at `firstHandle`; those of the way out come behind them. */
export async function prepareProgram(start: ProgramStart, firstHandle: number): Promise<PreparedProgram> {
  const { sandbox } = start;
  // PATH is for the program alone: the first process needs the system's programs.
  const { PATH: wantedPath, ...own } = start.environment;
  const later = heldBack(own);
  const network = enterNetwork(start);
  const wayOut = network?.wayOut;
  const node = firstHandle + (start.handleCount ?? 0);
  const wayOutHandles = wayOut === undefined ? 0 : 2;
  const seen: { view?: LaunchView; cwd: string; limits?: LimitGroup } = { cwd: '/' };
  const launch = await sandbox.prepare({
    workspace: start.workspace,
    environment: { ...network?.environment, ...later.environment, ...firstProcessEnvironment },
    binds: bindsOf(start, network),
    ...(start.keepsTerminal === undefined ? {} : { keepsTerminal: start.keepsTerminal }),
    ...(start.tree === undefined ? {} : { tree: start.tree }),
    firstHandle: node + wayOutHandles,
    wayOutHandles,
    program(view) {
      seen.view = view;
      seen.cwd = start.cwd(view);
      seen.limits = sandbox.limits.group({ isOnHost: !view.isOwnNamespace });
      const first = firstProcess({
        cwd: seen.cwd,
        path: wantedPath ?? view.path,
        checks: view.checks,
        isOwnNamespace: view.isOwnNamespace,
        limits: seen.limits.rlimits,
        own: view.ownPrograms,
        program: later.enter(start.program(view)),
      });
      if (wayOut === undefined) return first;
      const inside = { ...view.ownPrograms, program: first };
      return view.meetingPlace === undefined
        ? wayOut.command({ node, channel: node + 1 }, inside)
        : wayOut.forward({ node: bindNode(true).command, socket: `${view.meetingPlace}/${gateName}` }, inside);
    },
  });
  const { view, cwd, limits } = seen;
  if (view === undefined || limits === undefined) throw new Error('the sandbox did not ask for its program');
  return { launch, view, cwd, limits, wayOut };
}

/** Where the sandbox has a network of its own, there is a way out by our proxy; elsewhere it has the machine's, or none. */
function enterNetwork({ sandbox, conversationId }: ProgramStart): NetworkEntry | undefined {
  return isBehindProxy(sandbox.rung()) ? sandbox.network?.enter(conversationId ?? 'program') : undefined;
}

function bindsOf(start: ProgramStart, network: NetworkEntry | undefined): NonNullable<LaunchRequest['binds']> {
  const temporaryOf = sharedTemporary(start);
  return (place) => [
    ...(temporaryOf === undefined ? [] : [bindTemporary(place, temporaryOf)]),
    ...(start.binds?.(place) ?? []),
    ...(network === undefined ? [] : [network.bind(place)]),
    ...(network?.wayOut === undefined || place.takesHandles ? [] : bindNode(true).binds(place)),
  ];
}

/**
 * A container makes its own /tmp, and proot shows the machine's. A workspace below /tmp would be mounted in a folder that commands
 * can change, and bubblewrap before 0.12 follows the links it finds there (CVE-2026-87766).
 */
function sharedTemporary({ sandbox, workspace, temporaryOf }: ProgramStart): string | undefined {
  return sandbox.rung().startsWith('namespaces') && !isInside(workspace, '/tmp') ? temporaryOf : undefined;
}

/** bash does not let these be set, and takes no notice of what it inherits under these names. */
const fixedNames = /^(?:UID|EUID|PPID|SHELLOPTS|BASHOPTS|BASH_VERSINFO)$/;
const heldPrefix = 'HANDRAIL_LATER_';

/**
 * What a call asks for is for its program alone. Some variables (LD_PRELOAD, NODE_OPTIONS) would have code run in the processes
 * of ours before it, which hold descriptors that lead to us. They stay variables under other names: an argument is seen by
 * every user of the machine.
 */
function heldBack(own: Readonly<Record<string, string>>): {
  readonly environment: Readonly<Record<string, string>>;
  enter(program: readonly string[]): readonly string[];
} {
  const names = Object.keys(own).filter((name) => /^[A-Za-z_]\w*$/.test(name) && !fixedNames.test(name));
  if (names.length === 0) return { environment: own, enter: (program) => program };
  const isHeld = new Set(names);
  const script = names.map((name) => `export ${name}="$${heldPrefix}${name}"; unset ${heldPrefix}${name}`).join('\n');
  return {
    environment: Object.fromEntries(
      Object.entries(own).map(([name, value]) => [isHeld.has(name) ? heldPrefix + name : name, value]),
    ),
    enter: (program) => ['/bin/sh', '-c', `${script}\nexec "$@"`, 'sh', ...program],
  };
}
