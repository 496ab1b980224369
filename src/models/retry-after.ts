/** Reads how long a provider asks us to wait. */

/** From the headers `retry-after-ms` and `Retry-After` (RFC 9110 §10.2.3: seconds or a date); undefined when neither says. */
export function readRetryAfterMs(headers: Headers, now: number): number | undefined {
  const milliseconds = readNumber(headers.get('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const value = headers.get('retry-after');
  const seconds = readNumber(value);
  if (seconds !== undefined) return seconds * 1000;
  // The platform's parser reads a date into nearly anything; one of HTTP names its month.
  const date = value && /[A-Za-z]{3}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function readNumber(text: string | null): number | undefined {
  if (text === null || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}
