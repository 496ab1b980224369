import { expect, it } from 'vitest';
import { readRetryAfterMs } from './retry-after.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

it.each([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': 'Sat, 21 Nov 2026 12:00:09 GMT' }, 9000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, 0],
  [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-3' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{}, undefined],
] as const)('reads %j as %s ms', (headers, expected) => {
  expect(readRetryAfterMs(new Headers(headers as Record<string, string>), now)).toBe(expected);
});
