/** `npm run bench`: Handrail beside the floor, in one run, on this machine. Ratios count, not milliseconds. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startBenchModel } from './model-server.ts';
import { runAgent, type Agent, type Measured, type Plan } from './run-agent.ts';

const root = path.join(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'handrail-bench-'));
const workspace = path.join(folder, 'workspace');
mkdirSync(workspace);
writeFileSync(path.join(workspace, 'ten.txt'), `${'A line of text that fills the file.\n'.repeat(290)}`);
writeFileSync(path.join(workspace, 'two.txt'), 'x'.repeat(2_048));
const environment: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  HOME: folder,
  HANDRAIL_HOME: path.join(folder, 'state'),
  LANG: 'C.UTF-8',
};
const floor: Agent = {
  name: 'floor',
  command: (question) => [process.execPath, path.join(root, 'bench/floor-agent.mjs'), question],
};
const handrail: Agent = {
  name: 'handrail',
  command: (question) => [
    path.join(root, 'bin/handrail'),
    'ask',
    '--json',
    '--model',
    'openai-chat/bench',
    '--max-rounds',
    '1000',
    '--approve',
    'none',
    question,
  ],
};
const model = await startBenchModel();
const rows: string[][] = [];

const measure = (agent: Agent, plan: Plan, samplesMemory = false) =>
  runAgent(agent, plan, model, { cwd: workspace, environment, samplesMemory });
const median = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

async function both(
  plan: Plan,
  pick: (measured: Measured) => number,
  repeats: number,
  samplesMemory = false,
): Promise<readonly [number, number]> {
  const values: Record<string, number[]> = { floor: [], handrail: [] };
  // One after the other, so that a slow minute of the machine hits both.
  for (let at = 0; at < repeats; at += 1)
    for (const agent of [floor, handrail]) values[agent.name]?.push(pick(await measure(agent, plan, samplesMemory)));
  return [median(values['floor'] ?? []), median(values['handrail'] ?? [])];
}

function report(what: string, [base, ours]: readonly [number, number], unit: string, target: string): void {
  const digits = base < 20 ? 2 : 0;
  rows.push([
    what,
    `${base.toFixed(digits)} ${unit}`,
    `${ours.toFixed(digits)} ${unit}`,
    `x ${(ours / base).toFixed(2)}`,
    target,
  ]);
}

const readFile = (rounds: number, file = 'ten.txt'): Plan => ({
  tool: 'read_file',
  input: { path: path.join(workspace, file), limit: '$n' },
  rounds,
});
const shell = (command: string, rounds = 1, parallel = 1): Plan => ({
  tool: 'execute_shell_command',
  input: { command },
  rounds,
  parallel,
});

try {
  await measure(handrail, {}); // Warms the caches.
  report('process start to first model request', await both({}, (each) => each.startMs, 9), 'ms', '<= 2 x');
  report(
    'overhead per turn, file read, median of 30',
    await both(readFile(30), (each) => median(each.overheadsMs), 3),
    'ms',
    '<= 2 x',
  );
  report(
    'overhead per turn, shell `true`, sandboxed',
    await both(shell('true # $n', 30), (each) => median(each.overheadsMs), 3),
    'ms',
    '<= 1 x',
  );
  report(
    '8 parallel shell calls of 0.5 s',
    await both(shell('sleep 0.5 # $n', 1, 8), (each) => each.overheadsMs[0] ?? 0, 3),
    'ms',
    '<= 600 ms',
  );
  report(
    '300 turns of 2 KB: overhead at turn 285',
    await both(readFile(300, 'two.txt'), (each) => median(each.overheadsMs.slice(280, 290)), 3),
    'ms',
    '<= 1.5 x',
  );
  report(
    'memory of the whole tree, 30 reads',
    await both(readFile(30), (each) => each.peakMb, 3, true),
    'MB',
    '<= 1.4 x',
  );
  const printed = 'head -c 50000000 /dev/zero | tr "\\0" x';
  report(
    'a command printing 50 MB',
    await both(shell(printed), (each) => each.overheadsMs[0] ?? 0, 3),
    'ms',
    '<= 200 ms',
  );
  report(
    'memory while it prints 50 MB',
    await both(shell(printed), (each) => each.peakMb, 3, true),
    'MB',
    '+ 10 MB over 30 reads',
  );
  report('first request body', await both({}, (each) => (each.arrivals[0]?.bytes ?? 0) / 1024, 1), 'KB', '<= 8 KB');
  const held = await measure(handrail, shell('sleep 30 & echo started'));
  rows.push(['command whose child holds stdout', '', `${(held.overheadsMs[0] ?? 0).toFixed(0)} ms`, '', '<= 150 ms']);
  const escape = 'trap "" TERM INT; (setsid bash -c "trap \\"\\" TERM; sleep 4747" &) ; sleep 4747';
  const timed = await measure(handrail, {
    tool: 'execute_shell_command',
    input: { command: escape, timeout: 3 },
    rounds: 1,
  });
  const alive = spawnSync('pgrep', ['-f', 'sleep 4747'], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .filter(Boolean).length;
  rows.push([
    'timeout 3 s, children that ignore TERM and escape',
    '',
    `${(timed.overheadsMs[0] ?? 0).toFixed(0)} ms, ${alive} alive`,
    '',
    '<= 3500 ms, 0 alive',
  ]);
} finally {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
}

const table = [['what', 'floor', 'handrail', 'ratio', 'target'], ...rows];
const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length))) ?? [];
for (const row of table) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
