/** Makes sure that what the tests need is on the machine; as root on Debian it installs what is missing. */
import { installPackages, missingPackages, packagesFor } from './pretest/debian-packages.ts';

const missing = missingPackages(packagesFor);
if (missing.length > 0) {
  const failure = await installPackages(missing);
  if (failure !== undefined) {
    console.error(failure);
    process.exitCode = 1;
  }
}
