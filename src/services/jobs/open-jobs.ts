/** The jobs service of the program, from what the program knows. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hostEnvironment } from '../sandbox/sandbox-environment.ts';
import type { ServiceSources } from '../service-makers.ts';
import { createJobs, type JobsOwner } from './create-jobs.ts';

export function openJobs({ folders, settings, userHome, environment, programFolder }: ServiceSources): JobsOwner {
  // The program is bundled, or it runs from source: what it starts beside itself is the same.
  const program = join(programFolder, 'services/jobs/supervise.process');
  return createJobs({
    jobsFolder: join(folders.data, 'jobs'),
    programFile: existsSync(`${program}.js`) ? `${program}.js` : `${program}.ts`,
    // The supervisor lives long, and jobs may read what it was started with: no key of ours may be there.
    sources: () => ({ folders, settings, userHome, programFolder, environment: hostEnvironment(environment) }),
    currentFolder: async () => undefined,
  });
}
