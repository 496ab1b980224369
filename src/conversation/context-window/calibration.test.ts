import { expect, it } from 'vitest';
import { createCalibration } from './calibration.ts';

it('[K73] takes over what a provider counts, per model', () => {
  const calibration = createCalibration();
  for (let at = 0; at < 3; at += 1) calibration.observe('a', 1_000, 1_300);
  expect(calibration.ratio('a')).toBe(1.3);
  expect(calibration.ratio('b')).toBe(1);
});

it.each([0, -5, Number.NaN, Number.POSITIVE_INFINITY, 10, 100_000])(
  'does not believe a count of %s for about 1,000',
  (counted) => {
    const calibration = createCalibration();
    for (let at = 0; at < 20; at += 1) calibration.observe('a', 1_000, counted);
    expect(calibration.ratio('a')).toBe(1);
  },
);

it('twin: a count that is believable is taken over, and a single wrong one among them changes nothing', () => {
  const calibration = createCalibration();
  for (const counted of [1_200, 1_210, 2_400, 1_190, 1_200]) calibration.observe('a', 1_000, counted);
  expect(calibration.ratio('a')).toBe(1.2);
});

it('remembers the smallest request that was refused', () => {
  const calibration = createCalibration();
  expect(calibration.refused('a')).toBe(Number.POSITIVE_INFINITY);
  calibration.refuse('a', 5_000);
  calibration.refuse('a', 7_000);
  expect(calibration.refused('a')).toBe(5_000);
});
