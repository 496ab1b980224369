/** Limits by the user's own service manager, where that may make control groups and we may not (systemd-run(1)). */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LimitFigures } from './limit-figures.ts';

export type ScopeMaker = {
  /** The same command, started in a scope of its own, which is gone when all in it has ended. */
  enter(figures: LimitFigures, command: readonly [string, ...string[]]): readonly [string, ...string[]];
};

const probeTimeoutMs = 5000;

/** Undefined where there is none, or it does not do so. Costs a process: ask once. */
export function findScopeMaker(
  environment: NodeJS.ProcessEnv,
  run: (command: readonly [string, ...string[]]) => boolean = succeeds,
  isThere: (path: string) => boolean = existsSync,
): ScopeMaker | undefined {
  const runtimeFolder = environment['XDG_RUNTIME_DIR'];
  if (runtimeFolder === undefined || !isThere(join(runtimeFolder, 'systemd/private'))) return undefined;
  const bus = environment['DBUS_SESSION_BUS_ADDRESS'];
  const maker: ScopeMaker = {
    enter: (figures, command) => [
      // The launcher of a sandbox starts with an empty environment.
      ...(['/usr/bin/env', `XDG_RUNTIME_DIR=${runtimeFolder}`] as const),
      ...(bus === undefined ? [] : [`DBUS_SESSION_BUS_ADDRESS=${bus}`]),
      ...['systemd-run', '--user', '--scope', '--quiet', '--collect', `--unit=handrail-${randomUUID()}`],
      ...scopeProperties(figures).flatMap((property) => ['-p', property]),
      '--',
      ...command,
    ],
  };
  const figures = { memoryBytes: 2 ** 30, processes: 1024, cpus: undefined };
  return run(maker.enter({ ...nothingElse, ...figures }, ['/bin/true'])) ? maker : undefined;
}

/** systemd.resource-control(5). */
function scopeProperties({ memoryBytes, processes, cpus }: LimitFigures): string[] {
  return [
    ...['MemoryAccounting=yes', `MemoryMax=${memoryBytes}`, 'MemorySwapMax=0', `TasksMax=${processes}`],
    'CPUWeight=75',
    ...(cpus === undefined ? [] : [`CPUQuota=${Math.max(1, Math.round(cpus * 100))}%`]),
  ];
}

const nothingElse = { openFiles: 0, fileBytes: 0, diskBytes: 0, files: 0, freeBytes: 0, freeFiles: 0 };

function succeeds([file, ...args]: readonly [string, ...string[]]): boolean {
  return spawnSync(file, args, { stdio: 'ignore', timeout: probeTimeoutMs }).status === 0;
}
