/** The terminals service of the program, from what the program knows. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hostEnvironment } from '../sandbox/sandbox-environment.ts';
import type { ServiceSources } from '../service-sources.ts';
import { createTerminals, type TerminalsOwner } from './create-terminals.ts';

export function openTerminals(sources: ServiceSources): TerminalsOwner {
  const { folders, settings, userHome, environment, programFolder } = sources;
  const program = join(programFolder, 'services/terminals/terminal-keeper.process');
  return createTerminals({
    runtimeFolder: folders.runtime,
    programFile: existsSync(`${program}.js`) ? `${program}.js` : `${program}.ts`,
    // The keeper lives long, and programs may read what it was started with: no key of ours may be there.
    sources: () => ({ folders, settings, userHome, programFolder, environment: hostEnvironment(environment) }),
  });
}
