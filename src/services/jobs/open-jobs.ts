/** The jobs service of the program, from what the program knows. */
import { join } from 'node:path';
import { companionProgram } from '../companion-process/companion-place.ts';
import type { ServiceSources } from '../service-sources.ts';
import { createSavedMemory } from '../shell/persistent/saved-memory.ts';
import { asText } from '../shell/persistent/shell-memory.ts';
import { createJobs, type JobsOwner } from './create-jobs.ts';
import { lastingEnvironment } from './lasting-environment.ts';

export function openJobs(sources: ServiceSources): JobsOwner {
  const { folders, settings, userHome, environment, programFolder, knownSecrets } = sources;
  // What the shell keeps after each command, so that it is there for every process.
  const shells = createSavedMemory(join(folders.data, 'shells'));
  return createJobs({
    jobsFolder: join(folders.data, 'jobs'),
    programFile: companionProgram(programFolder, 'services/jobs/supervise.process'),
    // The supervisor lives long, and jobs may read what it was started with: no key of ours may be there.
    sources: () => ({ folders, settings, userHome, programFolder, environment: lastingEnvironment(environment) }),
    ...(knownSecrets === undefined ? {} : { knownSecrets }),
    async currentFolder({ conversation }) {
      if (conversation.isThrowaway) return undefined;
      const memory = shells.read(conversation.id, settings.sandbox.rung);
      return memory === undefined ? undefined : asText(memory.cwd);
    },
  });
}
