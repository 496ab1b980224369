/** Runs one agent on one plan and measures it from outside: when its requests arrive, how long it takes, what memory its tree holds. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Arrival, startBenchModel } from './model-server.ts';

export type Agent = {
  readonly name: string;
  readonly command: (question: string) => readonly [file: string, ...args: string[]];
};
export type Plan = {
  readonly tool?: string;
  readonly input?: unknown;
  readonly rounds?: number;
  readonly parallel?: number;
};

export type Measured = {
  readonly startMs: number;
  readonly totalMs: number;
  readonly arrivals: readonly Arrival[];
  /** From the answer to one request to the next request, per round. */
  readonly overheadsMs: readonly number[];
  /** Highest sum of resident memory over the process tree, in MB. */
  readonly peakMb: number;
};

const nowMs = () => performance.timeOrigin + performance.now();

export async function runAgent(
  agent: Agent,
  plan: Plan,
  model: Awaited<ReturnType<typeof startBenchModel>>,
  given: { cwd: string; environment: NodeJS.ProcessEnv; samplesMemory?: boolean },
): Promise<Measured> {
  model.reset();
  const [file, ...args] = agent.command(`PLAN${JSON.stringify(plan)}`);
  const startedAtMs = nowMs();
  const child = spawn(file, args, {
    cwd: given.cwd,
    env: { ...given.environment, OPENAI_BASE_URL: model.url },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let problem = '';
  child.stderr.on('data', (chunk: Buffer) => (problem += chunk.toString()));
  let peakMb = 0;
  const sampler =
    given.samplesMemory === true
      ? setInterval(() => (peakMb = Math.max(peakMb, treeMb(child.pid ?? 0))), 15)
      : undefined;
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(sampler);
  const [first] = model.arrivals;
  if (code !== 0 || first === undefined)
    throw new Error(
      `${agent.name} ended with ${code} after ${model.arrivals.length} requests: ${problem.slice(0, 500)}`,
    );
  return {
    startMs: first.atMs - startedAtMs,
    totalMs: nowMs() - startedAtMs,
    arrivals: [...model.arrivals],
    overheadsMs: model.arrivals.slice(1).map((arrival) => arrival.sinceAnswerMs ?? 0),
    peakMb,
  };
}

function treeMb(root: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = read(`/proc/${name}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    parents.set(Number(name), Number(fields[1]));
  }
  const isOurs = (pid: number): boolean =>
    pid === root || (parents.has(pid) && pid > 1 && isOurs(parents.get(pid) ?? 0));
  let kb = 0;
  for (const pid of parents.keys())
    if (isOurs(pid)) kb += Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
  return kb / 1024;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process ended between the two looks.
    return '';
  }
}
