/** Makes all attempts in one sandbox, with its guards or with some of them taken away, and says of each how it went. */
import { join } from 'node:path';
import type { Rung } from '../../src/contract/services.ts';
import { buildBwrapArgs, type SandboxPlan } from '../../src/services/sandbox/bwrap-args.ts';
import type { SandboxOptions } from '../../src/services/sandbox/create-sandbox.ts';
import { absent, type Attempt, attempts, type Guard } from './escape-attempts.ts';
import { type EscapePlace, openEscapePlace } from './escape-place.ts';
import { openShellWorld } from './shell-world.ts';

export type EscapeReport = {
  /** Names of attempts that got out, per guard that was taken away; `none`: with all guards. */
  readonly escaped: Readonly<Record<string, readonly string[]>>;
  /** What was found of what must not be there. */
  readonly found: readonly string[];
  readonly problems: readonly string[];
};

export async function tryToEscape(request: {
  readonly base: string;
  readonly guards: readonly Guard[];
  /** Who owns the workspace, when we are root. */
  readonly uid?: number;
  /** Omitted: namespaces. The guards of other rungs are not ours to take away. */
  readonly rung?: Rung;
  readonly sandbox?: Partial<SandboxOptions>;
  /** Names of the attempts to make. Omitted: all. */
  readonly only?: readonly string[];
}): Promise<EscapeReport> {
  const place = await openEscapePlace(request.base, request.uid);
  const escaped: Record<string, readonly string[]> = {};
  const problems: string[] = [];
  let found: readonly string[] = [];
  try {
    for (const guard of [undefined, ...request.guards]) {
      const tried = guard === undefined ? attempts : attempts.filter((attempt) => attempt.guard === guard);
      const isWanted = ({ name }: { readonly name: string }): boolean => request.only?.includes(name) ?? true;
      const list = guard === undefined ? [...tried, ...absent] : tried;
      const sandbox = { ...request.sandbox, ...(guard === undefined ? {} : withoutGuard(guard, place)) };
      const rung = guard === 'network' ? 'namespaces-shared-network' : (request.rung ?? 'namespaces');
      const { names, problem } = await runAll(list.filter(isWanted), place, sandbox, rung);
      escaped[guard ?? 'none'] = names.filter((name) => tried.some((attempt) => attempt.name === name));
      if (guard === undefined) found = names.filter((name) => absent.some((entry) => entry.name === name));
      if (problem !== '') problems.push(`${guard ?? 'none'}: ${problem}`);
    }
  } finally {
    await place.close();
  }
  return { escaped, found, problems };
}

async function runAll(
  list: readonly Pick<Attempt, 'name' | 'script'>[],
  place: EscapePlace,
  sandbox: Partial<SandboxOptions>,
  rung: Rung,
): Promise<{ names: readonly string[]; problem: string }> {
  const world = openShellWorld({
    workspace: place.workspace,
    environment: { ...process.env, HANDRAIL_TEST_KEY: 'canary-7f3a' },
    rung,
    sandbox,
  });
  try {
    const variables = Object.entries(place.variables).map(([name, value]) => `${name}='${value}'`);
    const lines = list.map(
      ({ script }, at) => `({ ${script}\n} | head -c 300 | grep -q . && echo ${at}) </dev/null 2>/dev/null`,
    );
    const result = await world.run(['rm -rf l1 l2 l3 mine device', ...variables, ...lines, 'echo end'].join('\n'), {
      timeoutMs: 100_000,
    });
    const numbers = result.stdout.text.trim().split('\n');
    const problem = numbers.at(-1) === 'end' ? '' : `${result.stdout.text}\n${result.stderr.text}`;
    return { names: numbers.slice(0, -1).map((number) => list[Number(number)]?.name ?? number), problem };
  } finally {
    await world.close();
  }
}

/** The same sandbox without this one guard (and without what holds the same attempts besides). */
function withoutGuard(guard: Guard, place: EscapePlace): Partial<SandboxOptions> {
  const edit = (change: (args: string[], plan: SandboxPlan) => string[]): Partial<SandboxOptions> => ({
    buildArgs: (plan) => change(buildBwrapArgs(plan), plan),
  });
  const noFilter = { seccompFilter: () => undefined };
  switch (guard) {
    case 'view':
      return edit((args) => showMachine(args, place));
    case 'processes':
      return {
        ...edit((args, plan) => showProcesses(plan.runAs.manner === 'root' ? asRoot(args) : args)),
        ...noFilter,
      };
    case 'ipc':
      return edit((args) => without(args, '--unshare-ipc'));
    case 'network':
      return {};
    case 'filter':
      return { ...edit((args) => without(args, '--disable-userns')), ...noFilter };
    case 'capabilities':
      return { ...edit((args) => withCapabilities(without(args, '--disable-userns'))), ...noFilter };
    case 'namespace':
      return { ...edit(asRoot), ...noFilter };
    case 'read-only':
      return edit(withoutReadOnly);
    case 'environment':
      return edit((args) => insertBeforeHome(args, '--setenv', 'HANDRAIL_TEST_KEY', 'canary-7f3a'));
  }
}

const without = (args: readonly string[], ...flags: string[]): string[] => args.filter((arg) => !flags.includes(arg));

function insertBeforeHome(args: readonly string[], ...more: string[]): string[] {
  const at = args.indexOf('--bind');
  return [...args.slice(0, at), ...more, ...args.slice(at)];
}

/** In one piece with the workspace: a hard link cannot cross mounts. */
function showMachine(args: readonly string[], { base, workspace, outside }: EscapePlace): string[] {
  const at = args.findIndex((arg, position) => arg === '--bind' && args[position + 2] === workspace);
  const x11 = ['--bind', join(outside, 'x11'), '/tmp/.X11-unix'];
  const shown = ['--bind', base, base, '--bind', join(outside, 'run'), '/run', ...x11];
  return [...args.slice(0, at), ...shown, ...args.slice(at + 3)];
}

function showProcesses(args: readonly string[]): string[] {
  const at = args.indexOf('--proc');
  return without(
    [...args.slice(0, at), '--ro-bind', '/proc', '/proc', ...args.slice(at + 2)],
    '--unshare-pid',
    '--as-pid-1',
  );
}

function withCapabilities(args: readonly string[]): string[] {
  const ids = ['--uid', '--gid'];
  return args.map((arg, at) => (arg === '--cap-drop' ? '--cap-add' : ids.includes(args[at - 1] ?? '') ? '0' : arg));
}

/** The machine's own root, whole. */
function asRoot(args: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--uid' || arg === '--gid') at += 1;
    else if (arg === '--cap-drop') kept.push('--cap-add');
    else if (arg !== '--unshare-user' && arg !== '--disable-userns') kept.push(arg);
  }
  return kept;
}

function withoutReadOnly(args: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const isGuard = args[at] === '--ro-bind' && args[at + 1]?.startsWith('/proc/') === true;
    if (isGuard) at += 2;
    else kept.push(args[at] === '--ro-bind' && args[at + 1] === '/usr' ? '--bind' : (args[at] ?? ''));
  }
  return kept;
}
