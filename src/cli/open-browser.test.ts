import { expect, test } from 'vitest';
import { type DesktopFacts, isOwnDesktop } from './open-browser.ts';

const desk: DesktopFacts = {
  environment: { DISPLAY: ':0', XDG_RUNTIME_DIR: '/run/user/1000' },
  isTerminal: true,
  userId: 1000,
  ownerOf: () => 1000,
};

test('a browser is opened on a desktop of the same user, from a terminal', () => {
  expect(isOwnDesktop(desk)).toBe(true);
  expect(isOwnDesktop({ ...desk, environment: { WAYLAND_DISPLAY: 'wayland-0' } })).toBe(true);
});

const elsewhere: readonly (readonly [string, Partial<DesktopFacts>])[] = [
  ['without a display', { environment: {} }],
  ['where the display has no name', { environment: { DISPLAY: '' } }],
  ['from a script', { isTerminal: false }],
  ['as root, on whosoever display', { userId: 0, ownerOf: () => 0 }],
  ['after su, on the display of another user', { ownerOf: () => 1001 }],
  ['where the folder of the session is gone', { ownerOf: () => undefined }],
];

test.each(elsewhere)('no browser is opened %s', (_name, changed) => {
  expect(isOwnDesktop({ ...desk, ...changed })).toBe(false);
});
