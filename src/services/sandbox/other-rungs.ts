/** For doctor and the settings: which other rungs this machine could give, without trying them. */
import type { Rung, SandboxReport } from '../../contract/services.ts';
import { findProgram } from './find-bubblewrap.ts';
import { type FixingPackage, installCommand, readDistribution } from './fixing-command.ts';

type Needed = { readonly names: readonly string[]; readonly package: FixingPackage };

const bubblewrap: Needed = { names: ['bwrap'], package: 'bubblewrap' };

/** Strongest first. */
const ladder: readonly { readonly rung: Rung; readonly needs?: Needed; readonly words?: string }[] = [
  { rung: 'namespaces', needs: bubblewrap, words: 'namespaces' },
  { rung: 'namespaces-shared-network', needs: bubblewrap },
  { rung: 'container', needs: { names: ['podman', 'docker'], package: 'podman' }, words: 'container' },
  { rung: 'proot', needs: { names: ['proot'], package: 'proot' }, words: 'proot (compatibility, not isolation)' },
  { rung: 'host' },
];

export function otherRungs(configured: Rung, folders?: readonly string[]): readonly string[] {
  return ladder.flatMap(({ rung, needs, words }) => {
    const path = needs === undefined || words === undefined ? undefined : findFirst(needs, folders);
    return rung === configured || path === undefined ? [] : [`${words} by ${path}`];
  });
}

export function describeLadder(isRoot: boolean, folders?: readonly string[]): NonNullable<SandboxReport['ladder']> {
  const distribution = readDistribution();
  return ladder.map(({ rung, needs }) => {
    const program = needs === undefined ? undefined : findFirst(needs, folders);
    if (needs === undefined) return { rung };
    return program === undefined
      ? { rung, fix: installCommand(distribution, isRoot, needs.package) }
      : { rung, program };
  });
}

const findFirst = ({ names }: Needed, folders?: readonly string[]): string | undefined =>
  names.map((name) => findProgram(name, folders)).find((found) => found !== undefined);
