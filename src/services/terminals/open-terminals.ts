/** The terminals service of the program, from what the program knows. */
import { companionProgram } from '../companion-process/companion-place.ts';
import { hostEnvironment } from '../sandbox/sandbox-environment.ts';
import type { ServiceSources } from '../service-sources.ts';
import { createTerminals, type TerminalsOwner } from './create-terminals.ts';

export function openTerminals(sources: ServiceSources): TerminalsOwner {
  const { folders, settings, userHome, environment, programFolder } = sources;
  return createTerminals({
    runtimeFolder: folders.runtime,
    programFile: companionProgram(programFolder, 'services/terminals/terminal-keeper.process'),
    // The keeper lives long, and programs may read what it was started with: no key of ours may be there.
    sources: () => ({ folders, settings, userHome, programFolder, environment: hostEnvironment(environment) }),
  });
}
