/** The sandbox of the program, from what the program knows. */
import { realpathSync } from 'node:fs';
import { createLimits } from '../limits/create-limits.ts';
import { openNetwork } from '../net/open-network.ts';
import type { ServiceSources } from '../service-sources.ts';
import { createSandbox, type Sandbox } from './create-sandbox.ts';

export function openSandbox(sources: ServiceSources): Sandbox {
  const { folders, settings, userHome, environment } = sources;
  return createSandbox({
    network: openNetwork(sources),
    // The sandbox compares paths as the kernel knows them.
    stateFolder: realOrSame(folders.data),
    hiddenPaths: folders.roots.map(realOrSame),
    homeFolder: realOrSame(folders.homeFolder),
    userHome: realOrSame(userHome),
    rung: () => settings.sandbox.rung,
    root: () => settings.sandbox.root,
    ...(sources.confirmations === undefined ? {} : { confirmations: sources.confirmations }),
    limits: createLimits({ settings: () => settings.sandbox.limits, environment }),
    environment,
  });
}

/** A place that does not exist yet has no links to follow. */
function realOrSame(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
