/** What the doctor says about the root that commands have: this machine's system, or a userland and whose. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SandboxReport } from '../../contract/services.ts';
import { installUserlandCommand, readUserlandRecord, type UserlandRecord } from './userland-place.ts';

/** Our own first. As root there may be one for each owner of a workspace. */
export function findUserlands(homeFolder: string): readonly UserlandRecord[] {
  const parent = dirname(homeFolder);
  const folders = [join(parent, 'userland')];
  if (process.geteuid?.() === 0) {
    for (const name of listNames(parent)) {
      if (name.startsWith(`${basename(homeFolder)}-of-`)) folders.push(join(parent, name, 'userland'));
    }
  }
  return folders.map(readUserlandRecord).filter((record) => record !== undefined);
}

/** The report with the root in force; commands are refused where the settings ask for a userland and there is none. */
export function reportRoot(report: SandboxReport, root: 'host-view' | 'userland', homeFolder: string): SandboxReport {
  if (report.rung === undefined || report.rung === 'host') return report;
  if (root === 'host-view') return { ...report, root: "this machine's system, read-only" };
  const found = findUserlands(homeFolder);
  const ready = found.filter((record) => record.stage === 'ready');
  if (found.length === 0) {
    return {
      ...report,
      rung: undefined,
      reason: 'sandbox.root is "userland", and no Linux userland is installed',
      fix: installUserlandCommand,
      lacksUserland: true,
    };
  }
  const unfinished = ready.length > 0 ? [] : [`The userland is not finished. To go on: ${installUserlandCommand}`];
  return {
    ...report,
    root: `a Linux userland (${[...new Set(found.map((record) => record.prettyName))].join(', ')})`,
    warnings: [...report.warnings, ...unfinished],
  };
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // It is made with the first command.
    return [];
  }
}
