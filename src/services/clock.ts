/** The machine's clock. */
import type { Clock, ServiceOwner } from '../contract/services.ts';

/** `now` is given by tests. The zone follows the environment variable TZ. */
export function createClock(now: () => Date = () => new Date()): ServiceOwner<Clock> {
  return {
    forCall: () => ({ now, timeZone: localTimeZone }),
    close: () => Promise.resolve(),
  };
}

function localTimeZone(): string {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    // A TZ that is no IANA name (`EST5EDT4`, a file) comes back as something that formatting refuses.
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
