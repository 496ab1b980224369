/** Installs the packages that package-lock.json names, with whatever npm the machine has. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SetupError } from './failure.mjs';

/** Beside the packages, and gone with them: bin/handrail looks for it, since it is cheap to see. */
const stampName = 'node_modules/.handrail-installed';

/** True when every package that the lock names for this machine is installed as named. Writes the stamp when it is missing. */
export function isInstallCurrent(root) {
  const lock = readJson(path.join(root, 'package-lock.json'));
  const installed = readJson(path.join(root, 'node_modules/.package-lock.json'));
  if (lock === undefined)
    throw new SetupError(`${root}/package-lock.json is missing or broken.`, 'git checkout package-lock.json');
  if (installed === undefined) return false;
  if (!Object.entries(lock.packages).every(([place, wanted]) => isInPlace(root, installed, place, wanted)))
    return false;
  if (findNode(root) === undefined) return false;
  const stamp = path.join(root, stampName);
  if (!existsSync(stamp)) writeFileIfAllowed(stamp);
  return true;
}

function isInPlace(root, installed, place, wanted) {
  if (place === '') return true;
  const found = installed.packages[place];
  // Optional ones are for other processors and systems; the one that matters, Node, is looked for by itself.
  if (found === undefined) return wanted.optional === true || wanted.devOptional === true;
  return found.version === wanted.version && existsSync(path.join(root, place, 'package.json'));
}

/** The Node that the packages brought, or undefined. */
export function findNode(root) {
  const file = path.join(root, `node_modules/node-linux-${process.arch}/bin/node`);
  return existsSync(file) ? file : undefined;
}

export function installPackages(root) {
  const npm = findNpm(root);
  const result = spawnSync(npm.command, [...npm.arguments, ...installArguments], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
    env: npmEnvironment(),
  });
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`;
  if (result.error?.code === 'ENOENT') {
    throw new SetupError(
      'npm was not found, and the packages are not installed.',
      'Install npm (Debian: apt install npm), then run it again.',
    );
  }
  if (result.status !== 0) throw describeFailure(root, result, output);
  if (findNode(root) === undefined) {
    throw new SetupError(
      `npm left out the package node-linux-${process.arch}, which holds the Node that Handrail needs (24.15 or newer).`,
      'Look for omit=optional, os, cpu or libc in `npm config ls`, or put a Node 24.15 or newer on the PATH.',
    );
  }
  writeFileIfAllowed(path.join(root, stampName));
}

/** Each flag overrules a setting of the user's own npm that would leave something out or lay it out otherwise. */
const installArguments = [
  'ci',
  '--include=optional',
  '--include=dev',
  '--install-strategy=hoisted',
  '--legacy-peer-deps=false',
  '--strict-peer-deps=false',
  '--package-lock=true',
  '--global=false',
  '--dry-run=false',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/** What an outer npm says of its own run must not steer this one. */
function npmEnvironment() {
  const kept = { ...process.env };
  for (const name of Object.keys(kept)) {
    if (
      /^npm_(config_(omit|only|production|global|local_prefix|prefix|workspace.*|legacy_peer_deps|strict_peer_deps)|command|lifecycle_.*|package_.*)$/i.test(
        name,
      )
    )
      delete kept[name];
  }
  delete kept.NODE_ENV;
  return kept;
}

/** npm's own program where it can be found, run by the Node that runs this; else whatever `npm` the PATH has. */
function findNpm(root) {
  // A Node inside node_modules is removed by the very install that it would run.
  const outside = (file) => !realpathSync(file).startsWith(path.join(realpathSync(root), 'node_modules') + path.sep);
  const node = [process.env.npm_node_execpath, process.execPath].find(
    (file) => file && existsSync(file) && outside(file),
  );
  const program = [process.env.npm_execpath, besideNode(node)].find(
    (file) => file && path.basename(file) === 'npm-cli.js' && existsSync(file),
  );
  if (node && program) return { command: node, arguments: [program] };
  return { command: 'npm', arguments: [] };
}

const besideNode = (node) =>
  node && path.join(path.dirname(realpathSync(node)), '../lib/node_modules/npm/bin/npm-cli.js');

function describeFailure(root, result, output) {
  const log = path.join(root, '.cache/setup.log');
  writeFileIfAllowed(log, output);
  const lines = output.split('\n').filter((line) => /^npm (error|ERR!) /.test(line));
  const cause = lines
    .map((line) => line.replace(/^npm (error|ERR!) /, ''))
    .find((line) => !/^(code|errno|syscall) /.test(line));
  const ended = result.signal ? `was ended by ${result.signal}` : `failed with exit code ${result.status}`;
  return new SetupError(
    `npm ci ${ended}${cause ? `: ${cause}` : '.'}`,
    `The whole output is in ${log}; to see it happen: cd ${root} && npm ci`,
  );
}

function writeFileIfAllowed(file, text = '') {
  try {
    writeFileSync(file, text);
  } catch {
    // Another user's clone: the stamp and the log only save time.
  }
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Missing or cut off in the middle: as good as not there.
    return undefined;
  }
}
