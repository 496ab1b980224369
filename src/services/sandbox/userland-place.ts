/** Where a Linux userland lies on the machine, and the record beside it that says what it is. */
import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';
import { homeFolderFor, type RunAs } from './run-as.ts';

export const packageManagers = { alpine: 'apk', debian: 'apt-get' } as const;

/** Written by whoever installs; commands never see it, so what it says can be trusted. */
export type UserlandRecord = {
  readonly distribution: keyof typeof packageManagers;
  /** As asked for: `3.21`, or the name of a Debian release. */
  readonly version: string;
  /** What the tree itself says: `Alpine Linux v3.21`. */
  readonly prettyName: string;
  readonly architecture: string;
  /** Where it came from. */
  readonly mirror: string;
  readonly installedAt: string;
  /** `unpacked`: without repositories and packages yet. */
  readonly stage: 'unpacked' | 'ready';
  readonly packages: 'bare' | 'basic';
  /** How users inside map to users of the machine; a tree that was filled under one map cannot be used under another. */
  readonly idMap: 'single';
  readonly dns: readonly string[];
};

/** Each user that commands run as has an own one: its files belong to that user. Beside the home, so that root can show it. */
export function userlandFolderFor(homeFolder: string, runAs: RunAs): string {
  return join(dirname(homeFolderFor(homeFolder, runAs)), 'userland');
}

/** What is in use: the tree and its record lie in one folder, so that both change places in one step. */
export const currentIn = (folder: string): string => join(folder, 'current');
export const treeIn = (folder: string): string => join(currentIn(folder), 'root');
export const recordIn = (folder: string): string => join(currentIn(folder), 'record.json');

/** Undefined when none is there, or a file that is no record of ours. */
export function readUserlandRecord(folder: string): UserlandRecord | undefined {
  if (lstatSync(treeIn(folder), { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  try {
    const record = JSON.parse(readFileSync(recordIn(folder), 'utf8')) as UserlandRecord;
    return record.distribution in packageManagers && record.idMap === 'single' ? record : undefined;
  } catch {
    // Not ours, or not readable: there is nothing that could be trusted.
    return undefined;
  }
}

export const installUserlandCommand = 'handrail sandbox install';

/** Rejects with ToolFailure: unavailable, with the command that installs one. */
export function requireUserland(homeFolder: string, runAs: RunAs): { folder: string; record: UserlandRecord } {
  const folder = userlandFolderFor(homeFolder, runAs);
  const record = readUserlandRecord(folder);
  if (record !== undefined) return { folder, record };
  const where = runAs.manner === 'dropped' ? ` for the user ${runAs.uid}, who owns the workspace` : '';
  throw new ToolFailure(
    'unavailable',
    `The settings put commands into a Linux userland (sandbox.root), but none is installed${where}, so no command was run. Install one: ${installUserlandCommand} (in the workspace). Or set sandbox.root to "host-view".`,
  );
}
