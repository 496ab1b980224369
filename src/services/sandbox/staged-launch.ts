/**
 * Root that drops to an ordinary user: that user cannot walk to folders inside our private state. So an outer bubblewrap,
 * still root, first shows them in a mount namespace of its own at a place that the user can reach, then drops to the user,
 * and only then the real sandbox starts. Nothing is left behind: the outer namespace ends with its only program.
 */
import type { SandboxPlan } from './bwrap-args.ts';

/** On a tmpfs of the outer namespace, over a folder that every machine has: bubblewrap must not make one on the machine. */
const stage = '/run';

export type StagedLaunch = {
  /** What stands before the sandbox's own command line; empty when there is nothing to drop. */
  readonly prefix: readonly string[];
  /** The plan with its sources as the dropped user sees them. */
  readonly plan: SandboxPlan;
};

export function stagedLaunch(plan: SandboxPlan): StagedLaunch {
  if (plan.runAs.manner !== 'dropped') return { prefix: [], plan };
  const sources = {
    etc: `${stage}/handrail-etc`,
    home: `${stage}/handrail-home`,
    workspace: `${stage}/handrail-workspace`,
  };
  const prefix = [
    plan.bubblewrap.path,
    ...['--dev-bind', '/', '/', '--perms', '0755', '--tmpfs', stage],
    ...['--ro-bind', plan.etc.source, sources.etc],
    ...['--bind', plan.home.source, sources.home],
    ...['--bind', plan.workspace.source, sources.workspace],
    ...['--die-with-parent', '--'],
    // All at once and for good: no group of root's stays, and no capability can come back.
    ...['setpriv', '--reuid', `${plan.runAs.uid}`, '--regid', `${plan.runAs.gid}`, '--clear-groups'],
    ...['--inh-caps', '-all', '--bounding-set', '-all', '--no-new-privs', '--'],
  ];
  return {
    prefix,
    plan: {
      ...plan,
      etc: { ...plan.etc, source: sources.etc },
      home: { ...plan.home, source: sources.home },
      workspace: { ...plan.workspace, source: sources.workspace },
    },
  };
}
