/** The keys of settings.json that the sandbox page changes. */
import type { KeyPath } from '../create-settings-store.ts';

export const rungPath: KeyPath = ['sandbox', 'rung'];
export const rootPath: KeyPath = ['sandbox', 'root'];
export const networkPath: KeyPath = ['sandbox', 'network', 'mode'];
export const allowPath: KeyPath = ['sandbox', 'network', 'allow'];
export const denyPath: KeyPath = ['sandbox', 'network', 'deny'];

export const limitNames = [
  'memoryMegabytes',
  'processes',
  'cpus',
  'openFiles',
  'fileMegabytes',
  'diskMegabytes',
  'files',
  'freeMegabytes',
  'freeFiles',
] as const;

export const limitPath = (name: (typeof limitNames)[number]): KeyPath => ['sandbox', 'limits', name];
