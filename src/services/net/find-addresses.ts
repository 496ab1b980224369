/** Looks a host up once and keeps the addresses that may be dialled: nothing looks it up again before the connection is made. */
import { lookup } from 'node:dns/promises';
import { canonicalAddress, type AddressClass, classifyAddress } from './address-class.ts';
import { type Refusal, refusePrivate } from './decide-host.ts';
import { isExactly } from './host-pattern.ts';
import type { Target } from './read-target.ts';

/** All addresses of a name, aliases followed. Rejects when there are none. */
export type LookUp = (name: string) => Promise<readonly string[]>;

export type AddressRules = {
  readonly allowPrivate: readonly string[];
  /** The very host was named by the settings or the machine's configuration. */
  readonly isListed: boolean;
  /** An address that the settings forbid under its own name. */
  readonly isForbidden: (address: string) => boolean;
  /** Tests swap the guard here. */
  readonly classify?: (address: string) => AddressClass;
};

export type FoundAddresses =
  | { readonly addresses: readonly string[] }
  | { readonly refusal: Refusal }
  | { readonly failure: string };

const maxAddresses = 16;
const lookUpMs = 15_000;

/**
 * As every program of this machine resolves names: its hosts file, its resolver. getaddrinfo(3) blocks one of four threads
 * that all of our process shares, so a sandbox full of slow names must not get more than two of them.
 */
export function createMachineLookUp(maxAtOnce = 2): LookUp {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (name) => {
    if (running >= maxAtOnce) await new Promise<void>((resolve) => void waiting.push(resolve));
    running += 1;
    try {
      return (await lookup(name, { all: true, order: 'verbatim' })).map((entry) => entry.address);
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}

/**
 * Of several addresses those that are public are used and the others are left out: where addresses are translated
 * (DNS64, RFC 6147), public names answer with both. Refused when none is left.
 */
export async function findAddresses(target: Target, rules: AddressRules, lookUp: LookUp): Promise<FoundAddresses> {
  const found = target.isAddress ? [target.host] : await inTime(lookUp(target.host));
  if (found === undefined) return { failure: `the name ${target.host} could not be looked up; check its spelling` };
  const classify = rules.classify ?? classifyAddress;
  const opensPrivate = isExactly(rules.allowPrivate, target);
  const judged = found.slice(0, maxAddresses).map((address) => ({ address, is: classify(address) }));
  const addresses = judged
    .filter(
      ({ is }) =>
        is === 'public' ||
        (is === 'private' && opensPrivate) ||
        (is === 'reserved' && (opensPrivate || rules.isListed)),
    )
    .map(({ address }) => address);
  const allowed = addresses.filter((address) => !rules.isForbidden(canonicalAddress(address)));
  if (allowed.length > 0) return { addresses: allowed };
  if (addresses.length > 0) {
    return {
      refusal: {
        reason: `its address ${addresses[0]} is named by sandbox.network.deny`,
        advice: 'Do without it; only the settings can lift that.',
      },
    };
  }
  const first = judged[0];
  if (first === undefined) return { failure: `the name ${target.host} has no address` };
  return { refusal: refusalFor(target, first.address, first.is) };
}

const kindText: Readonly<Record<Exclude<AddressClass, 'public'>, string>> = {
  reserved: 'a reserved address',
  private: 'a private address',
  metadata: 'an address of link-local or cloud metadata services',
  unusable: 'no public address',
};

function refusalFor(target: Target, address: string, is: AddressClass): Refusal {
  const kind = kindText[is === 'public' ? 'unusable' : is];
  const what = target.isAddress ? kind : `${kind} (${address})`;
  if (is === 'private' || is === 'reserved') return refusePrivate(target, what);
  return {
    reason: `it is ${what}, which commands never reach`,
    advice: 'No setting opens such addresses; use a public one.',
  };
}

async function inTime(answer: Promise<readonly string[]>): Promise<readonly string[] | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, lookUpMs, undefined);
  });
  try {
    return await Promise.race([answer, late]);
  } catch {
    // No such name, or nobody to ask: the caller says so.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
