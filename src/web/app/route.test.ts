import { expect, test } from 'vitest';
import fc from 'fast-check';
import { pathOf, readRoute } from './route.ts';

test('every conversation has an address that leads back to it', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (conversationId) => {
      fc.pre(conversationId.isWellFormed());
      expect(readRoute(pathOf({ page: 'chat', conversationId }))).toEqual({ page: 'chat', conversationId });
    }),
  );
});

test.each([
  { page: 'settings' },
  { page: 'settings', section: 'tools' },
  { page: 'activity' },
  { page: 'welcome' },
  { page: 'tool' },
  { page: 'tool', tool: 'read_file' },
] as const)('%o has an address', (route) => {
  expect(readRoute(pathOf(route))).toEqual(route);
});

test('the filters of the activity stand in its address', () => {
  const route = { page: 'activity', query: 'tool=read_file&text=a+b' } as const;
  expect(pathOf(route)).toBe('/activity?tool=read_file&text=a+b');
  expect(readRoute('/activity', '?tool=read_file&text=a+b')).toEqual(route);
  expect(readRoute('/activity', '?')).toEqual({ page: 'activity' });
});

test.each(['/chat/', '/chat/a/b', '/chat/%', '/nowhere', '//evil.test'])('%s names no page', (path) => {
  expect(readRoute(path)).toEqual({ page: 'unknown' });
});
