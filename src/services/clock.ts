/** The machine's clock. */
import type { Clock, ServiceOwner } from '../contract/services.ts';

/** `now` and `zoneName` are given by tests. The zone follows the environment variable TZ. */
export function createClock(
  now: () => Date = () => new Date(),
  zoneName: () => string | undefined = () => process.env['TZ'],
): ServiceOwner<Clock> {
  return {
    forCall: () => ({ now, timeZone: () => localTimeZone(zoneName()) }),
    close: () => Promise.resolve(),
  };
}

/** The name as the user writes it where it is one: ICU turns Asia/Kolkata into Asia/Calcutta. */
function localTimeZone(wanted: string | undefined): string {
  const named = /^:?(?:.*\/zoneinfo\/)?([A-Za-z][\w+-]*(?:\/[\w+-]+)*)$/.exec(wanted ?? '')?.[1];
  if (named !== undefined && isZone(named)) return named;
  const zone: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  // A TZ that is no IANA name (`EST5EDT4`, a file) comes back as nothing, or as something that formatting refuses.
  return zone !== undefined && isZone(zone) ? zone : 'UTC';
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== undefined;
  } catch {
    // That is how Intl says no.
    return false;
  }
}
