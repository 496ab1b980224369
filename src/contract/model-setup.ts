/** Which services of models are connected, and what a model says when it is tried. */
import type { ModelServiceSettings } from './settings.ts';

export type ConnectedService = {
  readonly name: string;
  readonly dialect: ModelServiceSettings['dialect'];
  /** Host and port. */
  readonly host: string;
  /** The secret that is sent to it. Omitted: none. */
  readonly keyName?: string;
  readonly hasKey: boolean;
  readonly isLocal: boolean;
  readonly source: 'settings' | 'key' | 'machine';
};

export type FoundModelServer = {
  readonly service: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
};

export type ModelSetup = {
  readonly services: readonly ConnectedService[];
  /** Looked for on their usual ports just now. */
  readonly local: readonly FoundModelServer[];
};

export type ModelTrial = {
  /** `service/model`. */
  readonly model: string;
  /** A service that is not in the settings yet. No stored key is sent to an address of it. */
  readonly service?: ModelServiceSettings;
  /** For that service; kept nowhere. */
  readonly key?: string;
};

export type ModelTrialResult =
  | { readonly isGood: true; readonly answer: string; readonly firstWordMs: number; readonly totalMs: number }
  | { readonly isGood: false; readonly kind: string; readonly message: string; readonly totalMs: number };
