/** Tries what podman or docker really can on this machine: whether a container starts, and whether it can be limited. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildContainerArgs, type ContainerPlan } from './container-args.ts';
import { type ContainerTool, launcherEnvironment } from './find-container.ts';
import { readHostView } from './host-view.ts';
import { decideRunAs } from './run-as.ts';
import { makeRoot } from './run-folder.ts';
import type { ShownSystem } from './shown-system.ts';
import { seccompProfileText } from './seccomp-profile.ts';

export type ContainerTrial = { readonly hasGroups: boolean } | { readonly problem: string };

const tryMs = 30_000;

/** An empty container of the kind that commands get. */
export async function tryContainer(tool: ContainerTool, environment: NodeJS.ProcessEnv): Promise<ContainerTrial> {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-try-'));
  try {
    const view = readHostView();
    const system = { links: view.rootLinks, mounts: view.systemFolders.map(asMount) };
    const root = makeRoot(join(folder, 'root'), system);
    writeFileSync(join(folder, 'seccomp.json'), seccompProfileText());
    const place = { source: folder, path: '/tmp/try' };
    const plan: Omit<ContainerPlan, 'hasGroups'> = {
      tool,
      containerName: `handrail-${process.pid}-try-${Date.now()}`,
      root: tool.name === 'podman' ? root : await importRoot(tool, { root, system }, environment),
      pidFile: join(folder, 'pid'),
      seccompFile: join(folder, 'seccomp.json'),
      system,
      runAs: decideRunAs(process.geteuid?.() ?? 0),
      home: { ...place, path: '/tmp/home' },
      workspace: place,
      hidden: [],
      binds: [],
      keepsTerminal: false,
      handleCount: 0,
      maxProcesses: 64,
    };
    const attempt = (hasGroups: boolean): Promise<string | undefined> =>
      run(tool.path, [...buildContainerArgs({ ...plan, hasGroups }), '/bin/true'], environment);
    if ((await attempt(true)) === undefined) return { hasGroups: true };
    const problem = await attempt(false);
    return problem === undefined ? { hasGroups: false } : { problem };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const asMount = (path: string): { source: string; path: string; isWritable: boolean } => ({
  source: path,
  path,
  isWritable: false,
});

export type ContainerRoot = { readonly root: string; readonly system: ShownSystem };

/**
 * docker starts nothing but images: one that holds the names of the top level and nothing else. Its name tells which names, so
 * that the machine's system and a userland have one each.
 */
export async function importRoot(
  tool: ContainerTool,
  { root, system }: ContainerRoot,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const names = JSON.stringify([system.links, system.mounts.map(({ path }) => path)]);
  const image = `handrail-empty-root:${createHash('sha256').update(names).digest('hex').slice(0, 16)}`;
  const script = '"$2" image inspect "$3" >/dev/null 2>&1 || tar -C "$1" -c . | "$2" import - "$3" >&2';
  const problem = await run('/bin/sh', ['-c', script, 'sh', root, tool.path, image], environment);
  if (problem !== undefined) throw new Error(problem);
  return image;
}

/** Containers of processes of ours that were killed: nothing ends them by itself, nor takes one off the list that was killed with them. */
export async function removeOrphanContainers(tool: ContainerTool, environment: NodeJS.ProcessEnv): Promise<void> {
  const script =
    '"$1" ps --filter name=handrail- --format "{{.Names}}" | while IFS=- read -r own pid rest; do ' +
    '[ "$own" = handrail ] && [ -n "$rest" ] && [ ! -e "/proc/$pid" ] && "$1" rm --force "handrail-$pid-$rest"; done';
  await run('/bin/sh', ['-c', script, 'sh', tool.path], environment);
}

/** Undefined when it went well, else what it said last. */
function run(file: string, args: readonly string[], own: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: tryMs, env: launcherEnvironment(own), cwd: '/' };
    const child = execFile(file, [...args], options, (error, _stdout, stderr) => {
      resolve(error === null ? undefined : stderr.trim().split('\n').at(-1) || error.message);
    });
    child.stdin?.end();
  });
}
