/** Where keys of model services are sent, weighed: a key goes to no host that the user has not seen with it. */
import type { ModelServiceSettings } from '../../contract/settings.ts';
import { named, type Weighed } from './weigh-change.ts';

type Services = readonly ModelServiceSettings[];

/** Undefined: no key leaves the machine to an address of the settings. Another path of a host is the same host's. */
function destinationOf({ keyName, baseUrl }: ModelServiceSettings): string | undefined {
  if (keyName === undefined || baseUrl === undefined || !URL.canParse(baseUrl)) return undefined;
  const { hostname, origin } = new URL(baseUrl);
  const isThisMachine = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  return isThisMachine ? undefined : `${keyName} to ${origin}`;
}

export function weighModelServices(last: Services, wanted: Services): Weighed<Services> {
  const known = new Set(last.map(destinationOf));
  const changed = wanted.filter((service) => isNew(service));
  function isNew(service: ModelServiceSettings): boolean {
    const destination = destinationOf(service);
    return destination !== undefined && !known.has(destination);
  }
  if (changed.length === 0) return { inForce: wanted, kept: wanted };
  const inForce = wanted.flatMap((service) => {
    if (!isNew(service)) return [service];
    const before = last.find((each) => each.service === service.service);
    // One that was never in force is not there yet.
    return before === undefined ? [] : [before];
  });
  const keys = named(changed.flatMap((service) => destinationOf(service) ?? []));
  const change = `has "models" whose keys would be sent to hosts that never got them: ${keys}`;
  return { inForce, kept: inForce, change };
}
