/** settings.json as a page or another face reads and changes it, key by key. */
import type { JsonSchema } from './model.ts';
import type { Settings } from './settings.ts';

/** One key with its new value. `value` null: the key is taken out, so that its default holds. */
export type SettingsEdit = {
  /** From the outside in: `['sandbox', 'network', 'mode']`. A list is one value. */
  readonly path: readonly string[];
  readonly value: unknown;
};

export type SettingsFile = {
  readonly place: string;
  /** Of its bytes; of a file that is not there too. An edit names the one it was made on. */
  readonly hash: string;
  /** What stands in it, key by key; empty when it is not there or damaged. */
  readonly written: Readonly<Record<string, unknown>>;
  /** What it says, with the defaults for everything else. Of a damaged one: what is in force. */
  readonly wanted: Settings;
  /** What holds now: without what waits for a yes, and before the file was damaged. */
  readonly inForce: Settings;
  /** Why it cannot be used, and what to do. Omitted: it can. */
  readonly problem?: string;
};

export type SettingsState = {
  /** Another one after each change of the file, or of what was confirmed of it. */
  readonly version: number;
  /** Why the file cannot be used: what held before holds on. Omitted: it can. */
  readonly problem?: string;
};

export type SettingsFileAccess = {
  /** Looks whether it was changed: what begins from now on works with it. Cheap, and never rejects. */
  look(): Promise<SettingsState>;
  read(): Promise<SettingsFile>;
  /**
   * All edits or none; everything else of the file stays as it is written. Rejects with MisuseFailure for a value that is none of
   * the key's, with ToolFailure('conflict') when the file is not the one of that hash any more, with SetupFailure for a damaged file
   * and for one that cannot be written.
   */
  change(edits: readonly SettingsEdit[], hash: string): Promise<SettingsFile>;
  /** Descriptions, defaults and bounds of all keys. */
  schema(): Promise<JsonSchema>;
};
