/** Builds dist/ when the sources have changed since. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SetupError } from './failure.mjs';
import { findNode } from './install.mjs';

const stampName = 'dist/.stamp';
/** What decides how dist/ looks. */
const inputs = ['package.json', 'package-lock.json', 'scripts/build.ts', 'scripts/build', 'src', 'tsconfig.json'];
/** A file's time comes from the kernel's coarse clock: one changed in the same tick must still count as newer. */
const clockTickMs = 20;

/** By content: a fresh checkout changes every time, and a formatter touches files without changing them. */
export function isBuildCurrent(root) {
  const stamp = path.join(root, stampName);
  if (!existsSync(stamp) || !existsSync(path.join(root, 'dist/main.js'))) return false;
  const startedAt = Date.now();
  if (readFileSync(stamp, 'utf8') !== hashInputs(root)) return false;
  try {
    setTime(stamp, startedAt);
  } catch {
    // Another user's clone: the next start looks at the content again.
  }
  return true;
}

export function buildProgram(root, { forRelease }) {
  const startedAt = Date.now();
  const hash = hashInputs(root);
  const node = findNode(root) ?? process.execPath;
  const result = spawnSync(node, [path.join(root, 'scripts/build.ts'), ...(forRelease ? ['--types'] : [])], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  if (result.status !== 0) throw describeFailure(root, result);
  const stamp = path.join(root, stampName);
  writeFileSync(`${stamp}.new`, hash);
  setTime(`${stamp}.new`, startedAt);
  renameSync(`${stamp}.new`, stamp);
}

function describeFailure(root, result) {
  const output = `${result.stdout}${result.stderr}`;
  const log = path.join(root, '.cache/setup.log');
  writeFileSync(log, output);
  const cause = output
    .split('\n')
    .find((line) => /error|Error|\[[A-Z_]+\]/.test(line) && !/Build failed with/.test(line));
  return new SetupError(
    `the build failed${cause ? `: ${cause.trim()}` : '.'}`,
    `The whole output is in ${log}; to see it happen: cd ${root} && npm run build`,
  );
}

const setTime = (file, ms) => utimesSync(file, (ms - clockTickMs) / 1000, (ms - clockTickMs) / 1000);

function hashInputs(root) {
  const hash = createHash('sha256');
  for (const input of inputs) addToHash(hash, root, input);
  return hash.digest('hex');
}

function addToHash(hash, root, name) {
  const file = path.join(root, name);
  if (lstatSync(file).isDirectory()) {
    for (const child of readdirSync(file).sort()) addToHash(hash, root, `${name}/${child}`);
  } else if (!/\.test\.tsx?$/.test(name)) {
    const bytes = readFileSync(file);
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  }
}
