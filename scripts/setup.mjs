/**
 * Makes a clone ready to run: installs the packages and builds dist/, whichever is missing or old. Plain JavaScript for
 * any Node from 18 on, without packages, since it is what brings the right Node and the packages.
 *
 *   node scripts/setup.mjs [--quiet] [--rebuild] [--types]
 */
import { accessSync, constants, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildProgram, isBuildCurrent } from './setup/build.mjs';
import { SetupError } from './setup/failure.mjs';
import { installPackages, isInstallCurrent } from './setup/install.mjs';
import { withLock } from './setup/lock.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const flags = new Set(process.argv.slice(2));
const isTalking = Boolean(process.stderr.isTTY) && !flags.has('--quiet');

async function setUp() {
  const mustBuild = flags.has('--rebuild') || flags.has('--types');
  if (!mustBuild && isInstallCurrent(root) && isBuildCurrent(root)) return;
  const cache = path.join(root, '.cache');
  makeFolder(cache);
  await withLock(path.join(cache, 'setup.lock'), () => {
    // Whoever held the lock before us may have done it all.
    if (!isInstallCurrent(root)) {
      tell('Installing packages (once, about a minute) …');
      installPackages(root);
    }
    if (mustBuild || !isBuildCurrent(root)) {
      tell('Building …');
      buildProgram(root, { forRelease: flags.has('--types') });
    }
    rmSync(path.join(cache, 'setup.log'), { force: true });
  });
}

function makeFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    accessSync(root, constants.W_OK);
  } catch (error) {
    throw new SetupError(
      `${root} must be set up anew, and this user may not write there (${error.code}).`,
      'Run `npm start` there as its owner, or make a clone of your own.',
    );
  }
}

function tell(line) {
  if (isTalking) process.stderr.write(`${line}\n`);
}

setUp().catch((error) => {
  const isExpected = error instanceof SetupError;
  process.stderr.write(`handrail: ${isExpected ? error.message : error.stack}\n`);
  if (isExpected && error.fix) process.stderr.write(`${error.fix}\n`);
  process.exitCode = 1;
});
