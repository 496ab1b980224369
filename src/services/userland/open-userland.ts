/** The userland of whoever works in a folder, from what the program knows. */
import { realpathSync, statSync } from 'node:fs';
import { ToolFailure } from '../../contract/failure.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Userland } from '../../contract/userland.ts';
import { createMachineLookUp, findAddresses } from '../net/find-addresses.ts';
import { patternForbids, readHostPatterns } from '../net/host-pattern.ts';
import { isProblem, readTarget } from '../net/read-target.ts';
import type { Sandbox } from '../sandbox/create-sandbox.ts';
import { decideRunAs } from '../sandbox/run-as.ts';
import { createUserland } from './create-userland.ts';
import type { VetHost } from './mirror-client.ts';

export type UserlandSources = {
  readonly homeFolder: string;
  readonly settings: Settings;
  readonly sandbox: Sandbox;
};

/** `folder`: root's commands run as whoever owns it, and so each owner has a userland. Rejects with ToolFailure('not_found'). */
export function openUserland({ homeFolder, settings, sandbox }: UserlandSources, folder: string): Userland {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  if (owner === undefined) throw new ToolFailure('not_found', `There is no folder ${folder}.`);
  return createUserland({
    homeFolder: realOrSame(homeFolder),
    runAs: decideRunAs(owner),
    settings: () => settings.sandbox,
    sandbox,
    vetHost: createVetHost(settings),
  });
}

/** Mirrors are named by us or by the user; their addresses are judged as everybody's are. */
export function createVetHost(settings: Pick<Settings, 'net' | 'sandbox'>): VetHost {
  const lookUp = createMachineLookUp();
  return async (host, port) => {
    const target = readTarget(host, port);
    if (isProblem(target)) throw new ToolFailure('denied', `${host}: ${target.problem}`);
    const deny = readHostPatterns(settings.sandbox.network.deny);
    const rules = {
      allowPrivate: settings.net.allowPrivate,
      isListed: false,
      isForbidden: (address: string) => deny.some((pattern) => patternForbids(pattern, { ...target, host: address })),
    };
    if (deny.some((pattern) => patternForbids(pattern, target))) {
      throw new ToolFailure('denied', `${host} is named by sandbox.network.deny`);
    }
    const found = await findAddresses(target, rules, lookUp);
    if ('addresses' in found) {
      return found.addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    }
    if ('failure' in found) throw new ToolFailure('unavailable', found.failure);
    const { reason, advice } = found.refusal;
    throw new ToolFailure('denied', `${host}:${port}: ${reason}. ${advice.replace('commands', 'Handrail')}`);
  };
}

function realOrSame(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // It is made later.
    return folder;
  }
}
