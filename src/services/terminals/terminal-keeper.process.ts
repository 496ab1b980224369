/**
 * The keeper of the terminals, as a program of its own, since terminals outlive the program that opened them. It is started by
 * whoever opens the first one and ends with the last one. Argument: its folder.
 */
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { once } from '../../base/once.ts';
import { claimPlace } from '../companion-process/claim.ts';
import { busyExitCode, companionPlace, type CompanionSources } from '../companion-process/companion-place.ts';
import type { Sandbox } from '../sandbox/create-sandbox.ts';
import { createServices } from '../service-makers.ts';
import { findInheritedHandles } from '../shell/inherited-handles.ts';
import { createPipePool } from '../shell/pipe-pool.ts';
import { createTrustedFiles, type TrustedFiles } from '../trusted-files/create-trusted-files.ts';
import { guardTerminal } from '../trusted-files/guard-terminal.ts';
import { createKeeper } from './create-keeper.ts';
import { serveTerminals } from './serve-terminals.ts';
import { startInSandbox, startOnHost } from './start-terminal.ts';

/** Whoever started us is about to ask. */
const firstRequestMs = 10_000;
const sweepMs = 2_000;
/** Settings change now and then; each set of them is a sandbox of its own. */
const maxSandboxes = 8;

const [folder = ''] = process.argv.slice(2);
// From whoever started us; no program in a terminal has any business with them.
for (const handle of findInheritedHandles()) closeSync(handle);
const claim = claimPlace(companionPlace(folder));
if (claim === undefined) process.exit(busyExitCode);

const pool = createPipePool();
const trusted = new Map<string, TrustedFiles>();
const sandboxes = new Map<string, () => Promise<Sandbox>>();
let stop = (): void => undefined;
const stopped = new Promise<void>((resolve) => (stop = resolve));
const startedAt = performance.now();
let wasAsked = false;

const keeper = createKeeper({
  starterFor: (sources) =>
    guardTerminal(
      async (start) =>
        sources.settings.sandbox.rung === 'host'
          ? startOnHost({ environment: sources.environment, sandbox: await sandboxFor(sources) }, start)
          : startInSandbox({ sandbox: await sandboxFor(sources), pool }, start),
      trustedFor(sources),
    ),
  onChange: leaveIfIdle,
});
const served = serveTerminals(keeper, leaveIfIdle);
const server = await claim.listen((socket) => {
  wasAsked = true;
  served.onConnection(socket);
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
const sweeps = setInterval(() => void sweep(), sweepMs);

await stopped;
clearInterval(sweeps);
// It takes the socket away: what connects from now on finds nobody, and starts the next keeper.
await Promise.race([new Promise((resolve) => void server.close(resolve)), delay(100)]);
await keeper.closeAll();
await Promise.all([...trusted.values()].map((each) => each.close()));
claim.release();
pool.close();
process.exit(0);

async function sweep(): Promise<void> {
  // Nobody could find us any more.
  if (claim?.look() !== 'there') stop();
  await keeper.sweep();
  leaveIfIdle();
}

function leaveIfIdle(): void {
  const mayLeave = wasAsked || performance.now() - startedAt > firstRequestMs;
  if (mayLeave && keeper.count === 0 && served.busy === 0) stop();
}

function trustedFor({ folders }: CompanionSources): TrustedFiles {
  const place = join(folders.data, 'trusted-files');
  const found = trusted.get(place) ?? createTrustedFiles({ folder: place });
  trusted.set(place, found);
  return found;
}

function sandboxFor(sources: CompanionSources): Promise<Sandbox> {
  const key = JSON.stringify(sources);
  const found = sandboxes.get(key) ?? once(() => createServices(sources).sandbox());
  sandboxes.delete(key);
  sandboxes.set(key, found);
  for (const old of [...sandboxes.keys()].slice(0, -maxSandboxes)) sandboxes.delete(old);
  return found();
}
