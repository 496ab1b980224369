import { expect, it } from 'vitest';
import { trimOutput } from './trim-output.ts';

const kept = { id: 'abc', path: '/kept/abc', bytes: 50 };
const keep = () => Promise.resolve(kept);

it('[K07] a result over its length keeps head and tail, names the true length and where the whole is', async () => {
  const text = `head ${'x'.repeat(500)} tail`;
  const outcome = await trimOutput({ text }, 200, keep);
  expect(outcome).toMatchObject({ ok: true, truncated: true, artifact: kept });
  expect(outcome.text.length).toBeLessThanOrEqual(200);
  expect(outcome.text).toMatch(/^head x+\n.*of 510 characters.*abc.*\nx+ tail$/su);
});

it('a full disk keeps no whole, and the result does not say that it did', async () => {
  const outcome = await trimOutput({ text: 'x'.repeat(500) }, 200, () => Promise.resolve(undefined));
  expect([outcome.ok, outcome.artifact, outcome.text.includes('artifact')]).toEqual([true, undefined, false]);
});

it('[K05] a failure that has something to show keeps its data, and its message is the text, also when that is cut', async () => {
  const short = await trimOutput({ text: 'so far', data: { stdout: 'so far' }, failure: 'timeout' }, 200, keep);
  expect(short).toEqual({
    ok: false,
    text: 'so far',
    data: { stdout: 'so far' },
    error: { code: 'timeout', message: 'so far' },
  });
  const long = await trimOutput({ text: 'x'.repeat(500), failure: 'timeout' }, 200, keep);
  expect(long).toMatchObject({ ok: false, truncated: true, error: { code: 'timeout', message: long.text } });
});
