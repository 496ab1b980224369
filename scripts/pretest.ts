/** Makes sure that what the tests need is on the machine; as root on Debian it installs what is missing. */
import path from 'node:path';
import { installPackages, missingPackages, packagesFor } from './pretest/debian-packages.ts';
import { fetchOldNpms } from './pretest/old-npms.ts';

const root = path.join(import.meta.dirname, '..');
const missing = missingPackages(packagesFor);
const failures = [missing.length > 0 ? await installPackages(missing) : undefined, await fetchOldNpms(root)];
for (const failure of failures) {
  if (failure === undefined) continue;
  console.error(failure);
  process.exitCode = 1;
}
