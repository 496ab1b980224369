/**
 * `npm run bench:shell`: what a command costs, cold and warm, on each rung that this machine has, and what much output,
 * many idle shells and a timeout cost. Through the library, so everything from permission to journal is in the figures.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { createHandrail as CreateHandrail } from '../src/main.ts';

type Handrail = Awaited<ReturnType<typeof CreateHandrail>>;

const root = path.join(import.meta.dirname, '..');
const { createHandrail } = (await import(path.join(root, 'dist/main.js'))) as { createHandrail: typeof CreateHandrail };
const folder = mkdtempSync(path.join(tmpdir(), 'handrail-bench-shell-'));
const workspace = path.join(folder, 'workspace');
mkdirSync(workspace);

const rows: string[][] = [];
const median = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
const milliseconds = (value: number): string => `${value.toFixed(value < 20 ? 2 : 0)} ms`;

async function open(rung: string): Promise<Handrail> {
  const state = path.join(folder, `state-${rung}`);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const settings = {
    sandbox: { rung },
    tool_enabled_execute_shell_command: true,
    shell: { timeoutSeconds: 300, maxTimeoutSeconds: 300 },
  };
  writeFileSync(path.join(state, 'settings.json'), JSON.stringify(settings));
  return createHandrail({ workspace, environment: { ...process.env, HANDRAIL_HOME: state } });
}

async function time(handrail: Handrail, command: string, conversationId: string, more: object = {}): Promise<number> {
  const startedAt = performance.now();
  const input = { command, ...more };
  const outcome = await handrail.runTool({
    tool: 'execute_shell_command',
    input,
    origin: 'library',
    approve: 'all',
    conversationId,
  });
  if (!outcome.ok && outcome.error?.code !== 'timeout') throw new Error(outcome.text);
  return performance.now() - startedAt;
}

/** Resident memory of everything below a process, in MB. */
function memoryBelowMb(pid: number): number {
  let sum = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const children = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean);
    for (const child of children.map(Number)) {
      const pages = Number(readFileSync(`/proc/${child}/statm`, 'utf8').split(' ')[1]);
      sum += (pages * 4096) / 1024 / 1024 + memoryBelowMb(child);
    }
  }
  return sum;
}

async function measureRung(rung: string): Promise<void> {
  const handrail = await open(rung);
  try {
    const cold: number[] = [];
    for (let at = 0; at < 7; at += 1) cold.push(await time(handrail, 'true', `cold-${rung}-${at}`));
    rows.push([`${rung}: first command of a conversation`, milliseconds(median(cold))]);
    const warm: number[] = [];
    for (let at = 0; at < 100; at += 1) warm.push(await time(handrail, ':', `cold-${rung}-6`));
    rows.push([`${rung}: later command \`:\``, milliseconds(median(warm))]);
    const forked: number[] = [];
    for (let at = 0; at < 50; at += 1) forked.push(await time(handrail, '/bin/true', `cold-${rung}-6`));
    rows.push([`${rung}: later command /bin/true`, milliseconds(median(forked))]);
    const fresh: number[] = [];
    for (let at = 0; at < 15; at += 1) fresh.push(await time(handrail, 'true', `cold-${rung}-6`, { fresh: true }));
    rows.push([`${rung}: fresh: true`, milliseconds(median(fresh))]);
  } finally {
    await handrail.close();
  }
}

async function measureOutput(): Promise<void> {
  const handrail = await open('namespaces');
  try {
    await time(handrail, 'true', 'output');
    const before = process.memoryUsage.rss();
    const print = (bytes: number) => time(handrail, `head -c ${bytes} /dev/zero | tr "\\0" x`, 'output');
    const fifty = [await print(50e6), await print(50e6), await print(50e6)];
    rows.push(['50 MB of output', milliseconds(median(fifty))]);
    rows.push(['2 GB of output', milliseconds(await print(2e9))]);
    rows.push(['memory grown by these', `${((process.memoryUsage.rss() - before) / 1024 / 1024).toFixed(0)} MB`]);
  } finally {
    await handrail.close();
  }
}

async function measureIdleShells(): Promise<void> {
  const handrail = await open('namespaces');
  try {
    const count = 6;
    for (let at = 0; at < count; at += 1) await time(handrail, 'true', `idle-${at}`);
    rows.push(['memory of an idle shell', `${(memoryBelowMb(process.pid) / count).toFixed(1)} MB resident`]);
    const escape = 'trap "" TERM INT; (setsid bash -c "trap \\"\\" TERM; sleep 4747" &) ; sleep 4747';
    rows.push([
      'timeout of 1 s, everything ignored: until it returns',
      milliseconds(await time(handrail, escape, 'idle-0', { timeout: 1 })),
    ]);
    const alive = execFileSync('/bin/sh', ['-c', 'pgrep -cf "sleep 4747$" || true'], { encoding: 'utf8' }).trim();
    rows.push(['… and what of it is alive then', alive]);
  } finally {
    await handrail.close();
  }
}

try {
  for (const rung of ['namespaces', 'namespaces-shared-network', 'proot', 'container', 'host']) {
    await measureRung(rung).catch((error: unknown) =>
      rows.push([`${rung}: not measured`, error instanceof Error ? error.message.slice(0, 90) : String(error)]),
    );
  }
  await measureOutput();
  await measureIdleShells();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const width = Math.max(...rows.map(([what = '']) => what.length));
for (const [what = '', figure = ''] of rows) console.log(`${what.padEnd(width)}  ${figure}`);
