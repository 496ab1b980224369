/** The password of a server that others on the network can reach. */
import { createHash, timingSafeEqual } from 'node:crypto';

export type PasswordCheck = (given: string) => 'right' | 'wrong' | 'too-many';

/** Of all callers together: whoever guesses changes addresses easily. */
const maxFailures = 10;
const windowMs = 5 * 60_000;

/** `password` undefined: nothing is right. */
export function createPasswordCheck(password: string | undefined, now: () => number = Date.now): PasswordCheck {
  let failures: readonly number[] = [];
  return (given) => {
    failures = failures.filter((at) => now() - at < windowMs);
    if (failures.length >= maxFailures) return 'too-many';
    if (password !== undefined && timingSafeEqual(digest(given), digest(password))) return 'right';
    failures = [...failures, now()];
    return 'wrong';
  };
}

/** Of one length, so that the comparison tells nothing about the password's. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
