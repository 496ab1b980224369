/** Where packages come from, by the files that managers really have. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PackageMachine } from './machine-files.ts';
import { createPackageSources } from './read-package-hosts.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'handrail-machine-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function machine(more: Partial<PackageMachine> = {}): PackageMachine & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    root,
    userHome: '/home/me',
    environment: {},
    ask(file) {
      asked.push(file);
      return Promise.resolve(undefined);
    },
    ...more,
    asked,
  };
}

const hostsOf = async (known: PackageMachine): Promise<string[]> =>
  [...(await createPackageSources(known).hosts())].sort();

test('npm: the user file, scopes and variables count, and no credential comes along', async () => {
  write(
    '/home/me/.npmrc',
    [
      'registry = https://me:hunter2@npm.corp.example:8443/repo/?token=abc',
      '//npm.corp.example:8443/:_authToken=npm_secret',
      '@team:registry=https://team.example/${TEAM_PATH}',
      '; registry=https://comment.example/',
      '@other:registry=https://${UNSET}.example/',
    ].join('\n'),
  );
  const known = machine({ environment: { TEAM_PATH: 'x' } });
  expect(await hostsOf(known)).toEqual(['npm.corp.example:8443', 'team.example']);
  const setup = createPackageSources(known).setup();
  expect(setup.npmrc).toBe('registry=https://npm.corp.example:8443/repo/\n@team:registry=https://team.example/x\n');
  expect(JSON.stringify(setup)).not.toMatch(/hunter2|secret|abc/);
  expect(known.asked).not.toContain('npm');
  const named = machine({ environment: { npm_config_registry: 'https://first.example/' } });
  expect(await hostsOf(named)).toEqual(['first.example']);
});

test('pip: every file of it, several addresses in one value, variables last', async () => {
  write(
    '/etc/pip.conf',
    '[global]\nindex-url = https://old.example/simple\nextra-index-url =\n    https://one.example/simple\n    http://u:p@two.example:8080/simple\n',
  );
  write(
    '/home/me/.config/pip/pip.conf',
    '[global]\nindex-url = https://new.example/simple\nfind-links = /opt/wheels\ntimeout = 3\n',
  );
  write('/home/me/own.conf', '[install]\nindex-url = https://own.example/simple\n');
  expect(await hostsOf(machine())).toEqual(['new.example', 'one.example', 'two.example:8080']);
  const known = machine({
    environment: { PIP_CONFIG_FILE: '/home/me/own.conf', PIP_FIND_LINKS: 'https://links.example/' },
  });
  expect(await hostsOf(known)).toEqual(['links.example', 'one.example', 'own.example', 'two.example:8080']);
  expect(createPackageSources(known).setup().variables).toEqual({
    PIP_INDEX_URL: 'https://own.example/simple',
    PIP_EXTRA_INDEX_URL: 'https://one.example/simple http://two.example:8080/simple',
  });
});

test('apt and apk: both formats, options and disabled sources', async () => {
  write(
    '/etc/apt/sources.list',
    '# deb http://off.example/ x\ndeb [arch=amd64 signed-by=/k] http://main.example/debian stable main\ndeb-src https://src.example/ x\ndeb cdrom:[x]/ y\n',
  );
  write('/etc/apt/sources.list.d/a.list', 'deb mirror+https://list.example/mirrors.txt stable main\n');
  write(
    '/etc/apt/sources.list.d/b.sources',
    'Types: deb\nURIs: http://one.example/debian\n  https://two.example/debian\nSuites: x\n\nEnabled: no\nURIs: http://disabled.example/\n\nTypes: deb\n# URIs: http://comment.example\nURIs: https://u:p@three.example:444/x\n',
  );
  write('/etc/apt/sources.list.d/c.list.save', 'deb http://saved.example/ x\n');
  write(
    '/etc/apk/repositories',
    'https://apk.example/v3/main\n@edge http://edge.example/main\n#http://no.example/\n/media/cdrom\n',
  );
  expect(await hostsOf(machine())).toEqual(
    [
      'main.example',
      'src.example',
      'list.example',
      'one.example',
      'two.example',
      'three.example:444',
      'apk.example',
      'edge.example',
    ].sort(),
  );
});

test('cargo and go: their files and variables', async () => {
  write(
    '/home/me/.cargo/config.toml',
    '[source.crates-io]\nreplace-with = "corp"\n[source.corp]\nregistry = "sparse+https://cargo.example/index/"\n[registries.mine]\nindex = "https://t:k@mine.example/git/index"\n[http]\nproxy = "http://proxy.example:3128"\n',
  );
  write('/home/me/.config/go/env', 'GOPROXY=https://go.example,direct\nGOSUMDB=sum.example+key\n');
  expect(await hostsOf(machine())).toEqual(['cargo.example', 'go.example', 'mine.example']);
  expect(createPackageSources(machine()).setup().variables).toEqual({ GOPROXY: 'https://go.example' });
  const known = machine({
    environment: { GOPROXY: 'https://a.example|https://b.example,off', GOSUMDB: 'sum.golang.example' },
  });
  expect(await hostsOf(known)).toEqual([
    'a.example',
    'b.example',
    'cargo.example',
    'mine.example',
    'sum.golang.example',
  ]);
});

test('a manager that nobody has set up is asked itself, once, and a missing one costs nothing', async () => {
  const answers: Readonly<Record<string, string>> = {
    npm: 'https://npm.default.example/\n',
    python3: 'https://pip.default.example/ https://files.default.example\n',
    go: 'https://go.default.example,direct\nsum.default.example\n',
  };
  const asked: string[] = [];
  const known = machine({
    ask(file) {
      asked.push(file);
      return Promise.resolve(answers[file]);
    },
  });
  const sources = createPackageSources(known);
  expect(sources.setup()).toEqual({ variables: {}, npmrc: '' });
  expect(asked).toEqual([]);
  expect([...(await sources.hosts())].sort()).toEqual(
    [
      'npm.default.example',
      'pip.default.example',
      'files.default.example',
      'go.default.example',
      'sum.default.example',
    ].sort(),
  );
  await sources.hosts();
  expect(asked.sort()).toEqual(['go', 'npm', 'python3']);
  expect(await hostsOf(machine())).toEqual([]);
});

test('programs are asked outside of any project, by absolute folders of PATH alone', async () => {
  write('/bin/npm', '');
  const folder = join(root, 'tools');
  mkdirSync(folder);
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho "https://$(pwd | tr / x)$(env | grep -c TOKEN).example/"\n', {
    mode: 0o755,
  });
  const { ask: _unused, ...real } = machine({
    environment: { PATH: `bin:${folder}:/usr/bin:/bin`, NPM_TOKEN: 'secret' },
  });
  const hosts = await hostsOf({
    ...real,
    environment: { ...real.environment, PIP_INDEX_URL: 'https://p.example', GOPROXY: 'off', GOSUMDB: 'off' },
  });
  expect(hosts).toEqual(['p.example', 'x0.example']);
});
