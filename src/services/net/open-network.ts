/** The network of commands as settings and the machine have it. */
import { join } from 'node:path';
import type { Settings } from '../../contract/settings.ts';
import { createNetwork, type Network } from './create-network.ts';
import { createPackageSources } from './package-sources/read-package-hosts.ts';

export type NetworkSources = {
  readonly folders: { readonly state: string };
  readonly settings: Settings;
  /** The user's own home. */
  readonly userHome: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Costs nothing before a command runs. */
export function openNetwork({ folders, settings, userHome, environment }: NetworkSources): Network {
  return createNetwork({
    settings: () => ({ ...settings.sandbox.network, allowPrivate: settings.net.allowPrivate }),
    packages: createPackageSources({ userHome, environment }),
    contactFile: join(folders.state, 'contacts.jsonl'),
  });
}
