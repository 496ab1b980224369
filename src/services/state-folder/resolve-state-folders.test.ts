import { expect, test } from 'vitest';
import { SetupFailure } from '../../contract/failure.ts';
import { resolveStateFolders, resolveUserHome } from './resolve-state-folders.ts';

const machine = { currentFolder: '/srv/here', accountHome: () => '/home/account' };
const resolve = (environment: Record<string, string>) => resolveStateFolders(environment, machine);

test('HANDRAIL_HOME moves every file and folder into one', () => {
  const folders = resolve({
    HANDRAIL_HOME: '/srv/rail',
    HOME: '/home/me',
    XDG_CONFIG_HOME: '/cfg',
  });
  const { isMoved, roots, ...paths } = folders;
  expect(isMoved).toBe(true);
  expect(
    [...Object.values(paths), ...roots].filter((path) => path !== '/srv/rail' && !path.startsWith('/srv/rail/')),
  ).toEqual([]);
  expect(folders.settingsFile).toBe('/srv/rail/settings.json');
  expect(folders.secretsFile).toBe('/srv/rail/secrets.json');
});

test('HANDRAIL_HOME may be relative to the current directory', () => {
  expect(resolve({ HANDRAIL_HOME: '../rail/' }).databaseFile).toBe('/srv/rail/handrail.sqlite');
});

test('an empty HANDRAIL_HOME counts as none', () => {
  expect(resolve({ HANDRAIL_HOME: '', HOME: '/home/me' }).data).toBe('/home/me/.local/share/handrail');
});

test.each(['~', '~/rail', '/', '/srv/..', 'a\0b'])('HANDRAIL_HOME=%j cannot be meant and is refused', (value) => {
  expect(() => resolve({ HANDRAIL_HOME: value })).toThrow(SetupFailure);
});

test('without it the XDG folders are used, each for its own kind', () => {
  const folders = resolve({
    HOME: '/home/me',
    XDG_CONFIG_HOME: '/x/config',
    XDG_DATA_HOME: '/x/data',
    XDG_STATE_HOME: '/x/state',
    XDG_CACHE_HOME: '/x/cache',
  });
  expect(folders).toMatchObject({
    settingsFile: '/x/config/handrail/settings.json',
    databaseFile: '/x/data/handrail/handrail.sqlite',
    logFile: '/x/state/handrail/handrail.log',
    compileCacheFolder: '/x/cache/handrail/compile-cache',
    runtime: '/x/state/handrail/run',
    isMoved: false,
  });
  expect(folders.roots).toEqual([
    '/x/config/handrail',
    '/x/data/handrail',
    '/x/state/handrail',
    '/x/cache/handrail',
    '/x/state/handrail/run',
  ]);
});

test('without any variable they lie under the home folder', () => {
  expect(resolve({ HOME: '/home/me' })).toMatchObject({
    config: '/home/me/.config/handrail',
    data: '/home/me/.local/share/handrail',
    state: '/home/me/.local/state/handrail',
    cache: '/home/me/.cache/handrail',
    runtime: '/home/me/.local/state/handrail/run',
  });
});

test('XDG values that are relative or empty are ignored, as the specification says', () => {
  const folders = resolve({
    HOME: '/home/me',
    XDG_CONFIG_HOME: 'cfg',
    XDG_DATA_HOME: '',
    XDG_STATE_HOME: './s',
  });
  expect(folders).toEqual(resolve({ HOME: '/home/me' }));
});

test('a HOME that is unset, empty or relative is replaced by that of the account', () => {
  for (const environment of [{}, { HOME: '' }, { HOME: 'somewhere' }] as const) {
    expect(resolve(environment).config).toBe('/home/account/.config/handrail');
  }
});

test('the account is not asked when HOME is set', () => {
  const asked = { ...machine, accountHome: () => expect.fail('asked') };
  expect(resolveStateFolders({ HOME: '/home/me' }, asked).isMoved).toBe(false);
});

test('a current directory that was removed matters to a relative HANDRAIL_HOME only', () => {
  const removed = {
    get currentFolder(): string {
      throw new SetupFailure('The current directory was removed.');
    },
    accountHome: () => '/home/account',
  };
  expect(resolveStateFolders({ HANDRAIL_HOME: '/srv/rail' }, removed).data).toBe('/srv/rail');
  expect(resolveStateFolders({}, removed).data).toBe('/home/account/.local/share/handrail');
  expect(() => resolveStateFolders({ HANDRAIL_HOME: 'rail' }, removed)).toThrow(SetupFailure);
});

test.each([{}, { HOME: '' }, { HOME: 'me' }])(
  'a HOME that says nothing (%j) is the home of the account',
  (environment) => {
    expect(resolveUserHome(environment, machine)).toBe('/home/account');
  },
);
