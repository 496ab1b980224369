/** Has everything made ready for one program in a sandbox: its view, its limits, its way out, the command line that starts it. */
import type { NetworkEntry, WayOut } from '../net/network-entry.ts';
import type { LimitGroup } from '../limits/limit-group.ts';
import type { Launch, LaunchRequest, LaunchView } from '../sandbox/sandbox-launch.ts';
import { firstProcess } from './first-process.ts';
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
  const network = enterNetwork(start);
  const wayOut = network?.wayOut;
  const node = firstHandle + (start.handleCount ?? 0);
  const seen: { view?: LaunchView; cwd: string; limits?: LimitGroup } = { cwd: '/' };
  const launch = await sandbox.prepare({
    workspace: start.workspace,
    environment: { ...network?.environment, ...own },
    ...(start.binds === undefined && network === undefined ? {} : { binds: bindsOf(start, network) }),
    ...(start.keepsTerminal === undefined ? {} : { keepsTerminal: start.keepsTerminal }),
    ...(start.tree === undefined ? {} : { tree: start.tree }),
    firstHandle: node + (wayOut === undefined ? 0 : 2),
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
        program: start.program(view),
      });
      return wayOut?.command({ node, channel: node + 1 }, first) ?? first;
    },
  });
  const { view, cwd, limits } = seen;
  if (view === undefined || limits === undefined) throw new Error('the sandbox did not ask for its program');
  return { launch, view, cwd, limits, wayOut };
}

/** Where the sandbox has a network of its own, there is a way out by our proxy; elsewhere it has the machine's, or none. */
function enterNetwork({ sandbox, conversationId }: ProgramStart): NetworkEntry | undefined {
  return sandbox.rung() === 'namespaces' ? sandbox.network?.enter(conversationId ?? 'program') : undefined;
}

function bindsOf({ binds }: ProgramStart, network: NetworkEntry | undefined): NonNullable<LaunchRequest['binds']> {
  return (place) => [...(binds?.(place) ?? []), ...(network === undefined ? [] : [network.bind(place)])];
}
