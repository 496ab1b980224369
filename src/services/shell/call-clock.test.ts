/** The clock of one command. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCallClock } from './call-clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<void>(() => undefined);

test('the time of a command stands still while a question is open, and goes on where it stood', async () => {
  const clock = createCallClock(() => Date.now());
  let isInTime: boolean | undefined;
  void clock.within(never, 1000).then((answer) => (isInTime = answer));
  await vi.advanceTimersByTimeAsync(600);
  clock.pause();
  clock.pause();
  await vi.advanceTimersByTimeAsync(3_600_000);
  clock.resume();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(isInTime).toBeUndefined();
  clock.resume();
  await vi.advanceTimersByTimeAsync(399);
  expect(isInTime).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2);
  expect(isInTime).toBe(false);
});

test('a question that was open before the command began counts too', async () => {
  const clock = createCallClock(() => Date.now());
  clock.pause();
  let isInTime: boolean | undefined;
  void clock.within(never, 10).then((answer) => (isInTime = answer));
  await vi.advanceTimersByTimeAsync(1000);
  expect(isInTime).toBeUndefined();
  clock.resume();
  await vi.advanceTimersByTimeAsync(11);
  expect(isInTime).toBe(false);
});

test('what happens in time is in time, and leaves no timer behind', async () => {
  const clock = createCallClock(() => Date.now());
  expect(await clock.within(Promise.resolve(), 1000)).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
  clock.pause();
  clock.resume();
  expect(vi.getTimerCount()).toBe(0);
});
