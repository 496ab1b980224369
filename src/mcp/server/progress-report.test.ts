import { expect, test } from 'vitest';
import { createProgressReport, type Progress } from './progress-report.ts';

test('the first line goes at once, then the newest of what came meanwhile', async () => {
  const sent: Progress[] = [];
  let wake = () => undefined as void;
  const second = new Promise<void>((resolve) => (wake = resolve));
  const report = createProgressReport((progress) => {
    if (sent.push(progress) === 2) wake();
    return Promise.resolve();
  });
  for (let line = 1; line <= 1_000; line += 1) report.tell(`line ${line}\n`);
  report.tell('\n');
  expect(sent).toEqual([{ progress: 1, message: 'line 1' }]);
  await second;
  expect(sent).toEqual([
    { progress: 1, message: 'line 1' },
    { progress: 2, message: 'line 1000' },
  ]);
  report.end();
});

test('nothing is sent while the client has not taken the last one, nor after the end', async () => {
  const sent: Progress[] = [];
  let taken = () => undefined as void;
  const report = createProgressReport((progress) => {
    sent.push(progress);
    return new Promise((resolve) => (taken = resolve));
  });
  report.tell('one');
  report.tell('two');
  taken();
  report.end();
  report.tell('three');
  await new Promise(setImmediate);
  expect(sent).toEqual([{ progress: 1, message: 'one' }]);
});

test('a client that is gone does not disturb the call', async () => {
  let tries = 0;
  const report = createProgressReport(() => Promise.reject(new Error(`gone ${(tries += 1)}`)));
  report.tell('one');
  await new Promise(setImmediate);
  report.tell('two');
  expect(tries).toBe(1);
  report.end();
});
