import { expect, test } from 'vitest';
import type { UserlandStep } from '../../../contract/userland.ts';
import type { WebSandboxWork } from '../../../contract/web-sandbox.ts';
import { stepsOf } from './steps-of.ts';

const work = (steps: readonly UserlandStep[], part: Partial<WebSandboxWork> = {}): WebSandboxWork => ({
  ...{ id: 'w', action: { kind: 'install', distribution: 'alpine' }, folder: '/u', startedAt: '' },
  progress: steps.map((step) => ({ step, text: step })),
  ...part,
});
const looks = (given: WebSandboxWork) => stepsOf(given).map(({ step, look }) => `${step} ${look}`);

test('[S24] all steps are there from the beginning; the one that was told last runs', () => {
  expect(looks(work([]))[0]).toBe('look running');
  expect(looks(work(['look', 'download']))).toEqual([
    'look done',
    'download running',
    'verify waiting',
    'unpack waiting',
    'repositories waiting',
    'packages waiting',
    'ready waiting',
  ]);
});

test('[S24] a failure marks its step, a stop too, and a good end leaves nothing open', () => {
  const failed = work(['look', 'download'], { end: { at: '', isStopped: false, problem: 'no' } });
  expect(looks(failed).slice(0, 3)).toEqual(['look done', 'download failed', 'verify waiting']);
  expect(looks(work(['look'], { end: { at: '', isStopped: true } }))[0]).toBe('look stopped');
  // An archive that was there already is not downloaded.
  const whole = work(['look', 'verify', 'ready'], { end: { at: '', isStopped: false } });
  expect(looks(whole).every((line) => line.endsWith('done'))).toBe(true);
});

test('the bare system has no packages to wait for, and Debian goes its own way', () => {
  const bare = { kind: 'install', distribution: 'alpine', isBare: true } as const;
  expect(looks(work([], { action: bare })).join()).not.toContain('packages');
  const debian = { kind: 'install', distribution: 'debian', isBare: true } as const;
  expect(looks(work(['look', 'download', 'unpack', 'packages'], { action: debian })).slice(3, 5)).toEqual([
    'packages running',
    'repositories waiting',
  ]);
  expect(looks(work(['look', 'unpack'], { action: { kind: 'reset' } }))).toEqual(['look done', 'unpack running']);
});
