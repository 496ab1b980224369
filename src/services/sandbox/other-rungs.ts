/** For doctor: which other rungs this machine could give, without trying them. */
import type { Rung } from '../../contract/services.ts';
import { findProgram } from './find-bubblewrap.ts';

const programs: readonly { readonly rung: Rung; readonly names: readonly string[]; readonly words: string }[] = [
  { rung: 'namespaces', names: ['bwrap'], words: 'namespaces' },
  { rung: 'container', names: ['podman', 'docker'], words: 'container' },
  { rung: 'proot', names: ['proot'], words: 'proot (compatibility, not isolation)' },
];

export function otherRungs(configured: Rung, folders?: readonly string[]): readonly string[] {
  return programs.flatMap(({ rung, names, words }) => {
    const path = names.map((name) => findProgram(name, folders)).find((found) => found !== undefined);
    return rung === configured || path === undefined ? [] : [`${words} by ${path}`];
  });
}
