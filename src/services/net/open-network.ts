/** The network of commands as settings and the machine have it. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Settings } from '../../contract/settings.ts';
import { readUserlandRecord } from '../sandbox/userland-place.ts';
import { createNetwork, type Network, type PackageSources } from './create-network.ts';
import { createPackageSources } from './package-sources/read-package-hosts.ts';

export type NetworkSources = {
  readonly folders: { readonly state: string; readonly homeFolder: string };
  readonly settings: Settings;
  /** The user's own home. */
  readonly userHome: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Costs nothing before a command runs. */
export function openNetwork({ folders, settings, userHome, environment }: NetworkSources): Network {
  return createNetwork({
    settings: () => ({ ...settings.sandbox.network, allowPrivate: settings.net.allowPrivate }),
    packages: withUserland(createPackageSources({ userHome, environment }), () =>
      settings.sandbox.root === 'userland' ? userlandMirrors(folders.homeFolder) : [],
    ),
    contactFile: join(folders.state, 'contacts.jsonl'),
  });
}

function withUserland(machine: PackageSources, mirrors: () => readonly string[]): PackageSources {
  return { ...machine, hosts: async () => [...(await machine.hosts()), ...mirrors()] };
}

/** Where each userland was installed from, by the record that commands cannot reach: root has one for every user it drops to. */
function userlandMirrors(homeFolder: string): string[] {
  const parent = dirname(homeFolder);
  const dropped = readdirSync(parent).filter((name) => name.startsWith(`${basename(homeFolder)}-of-`));
  return [parent, ...dropped.map((name) => join(parent, name))].flatMap((folder) => {
    const mirror = readUserlandRecord(join(folder, 'userland'))?.mirror ?? '';
    return URL.canParse(mirror) ? [new URL(mirror).host] : [];
  });
}
