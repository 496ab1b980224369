import { expect, test } from 'vitest';
import type { Settings } from '../contract/settings.ts';
import { createHandOver } from './hand-over.ts';
import { defaultSettings } from './settings/default-settings.ts';

type Hands = { readonly mode: string };

/** Hands that only say what happened to them. `leave` omitted: as the program has it. */
function open() {
  let settings: Settings = defaultSettings;
  const happened: string[] = [];
  const gate = Promise.withResolvers<void>();
  const handOver = createHandOver<Hands>({
    settings: () => settings,
    make: ({ sandbox }) => ({ mode: sandbox.network.mode }),
    leave: async ({ mode }, id) => void happened.push(`${mode} leaves ${id}`),
    close: async ({ mode }) => void happened.push(`${mode} closes`),
  });
  const use = (mode: Settings['sandbox']['network']['mode']): void => {
    const { sandbox } = defaultSettings;
    settings = { ...defaultSettings, sandbox: { ...sandbox, network: { ...sandbox.network, mode } } };
  };
  const set = (part: Partial<Settings>): void => void (settings = { ...settings, ...part });
  const call = (id: string) => handOver.during(id, async ({ mode }) => mode);
  const wait = (id: string) => handOver.during(id, ({ mode }) => gate.promise.then(() => mode));
  return { happened, handOver, use, set, call, wait, go: () => gate.resolve() };
}

test('what hands never look at makes no other hands; everything else does', () => {
  const { handOver, set, use } = open();
  const first = handOver.newest();
  set({ toolEnabled: { glob: false }, defaultModel: 'a/b', limits: { ...defaultSettings.limits, rounds: 3 } });
  expect(handOver.newest()).toBe(first);
  use('off');
  expect(handOver.newest()).not.toBe(first);
  const second = handOver.newest();
  set({ terminal: { allowedCommands: ['ls'] } });
  expect(handOver.newest()).not.toBe(second);
});

test('idle hands are closed before the newer ones work, so that what was warm is kept for them', async () => {
  const { happened, call, use } = open();
  expect(await call('a')).toBe('allow-list');
  use('off');
  expect(await call('a')).toBe('off');
  expect(happened).toEqual(['allow-list closes']);
});

test('where hands still work they work on, others leave them first, and they close with their last call', async () => {
  const { happened, call, wait, use, go } = open();
  const running = wait('busy');
  use('off');
  expect(await call('busy')).toBe('allow-list');
  expect(await Promise.all([call('other'), call('other')])).toEqual(['off', 'off']);
  expect(happened).toEqual(['allow-list leaves other']);
  go();
  expect(await running).toBe('allow-list');
  expect(happened).toEqual(['allow-list leaves other', 'allow-list closes']);
  expect(await call('busy')).toBe('off');
});

test('a call that fails lets go as well, and the end closes whatever is left', async () => {
  const { happened, handOver, use, wait, go } = open();
  await expect(handOver.during('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const running = wait('b');
  use('on');
  handOver.newest();
  await handOver.close();
  expect(happened).toEqual(['allow-list closes', 'on closes']);
  go();
  await running;
  expect(happened).toHaveLength(2);
});
