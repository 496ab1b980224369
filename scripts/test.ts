/**
 * Runs the tests: quick (beside the source and contracts), all, or soak (all with full counts). Arguments behind are
 * vitest's own: npm test -- src/base. The last line is "<n> passed, <n> failed".
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { countTests } from './test/count-tests.ts';

const root = path.join(import.meta.dirname, '..');
const [suite = 'all', ...rest] = process.argv.slice(2);
const isSoak = suite === 'soak';
const folder = await mkdtemp(path.join(os.tmpdir(), 'handrail-test-report-'));
const report = path.join(folder, 'report.json');

const vitest = spawn(
  process.execPath,
  [
    path.join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    // Full counts take hours: each test is shown as soon as it is over, not only its file.
    `--reporter=${isSoak ? 'verbose' : 'default'}`,
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...(suite === 'quick' ? ['--project=quick'] : []),
    ...rest,
  ],
  // Full counts are wanted by name; without it the same tests take samples.
  { cwd: root, stdio: 'inherit', env: { ...process.env, ...(isSoak && { HANDRAIL_TEST_SOAK: '1' }) } },
);
const startedAt = performance.now();
const minutes = (): number => Math.round((performance.now() - startedAt) / 60_000);
const heartbeat = setInterval(() => isSoak && console.log(`[soak] ${minutes()} minutes`), 60_000).unref();
// Ctrl-C reaches vitest by itself: it ends its workers, and we wait for that.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => vitest.kill('SIGTERM'));
const [code] = (await once(vitest, 'exit')) as [number | null];
clearInterval(heartbeat);

const counts = countTests(await readFile(report, 'utf8').catch(() => undefined));
await rm(folder, { recursive: true, force: true });
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = code === 0 && counts.failed > 0 ? 1 : (code ?? 1);
