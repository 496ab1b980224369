/** The private home's git configuration, before a sandbox starts. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openNetworkWorld } from '../../../test/kit/network-world.ts';
import { openShellWorld } from '../../../test/kit/shell-world.ts';
import { tameGitConfig } from './tame-git-config.ts';

let base = '';
let home = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-home-')));
  home = join(base, 'home');
  mkdirSync(join(home, '.config/git'), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const tame = (): string | undefined =>
  tameGitConfig({ home, uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 });

test('names stay, what runs programs goes, and is kept aside', () => {
  const poisoned =
    '[user]\n\tname = Ada\n\temail = ada@example.org\n[core]\n\thooksPath = ~/evil\n[alias]\n\tst = status\n\tx = !sh\n';
  writeFileSync(join(home, '.gitconfig'), poisoned);
  writeFileSync(join(home, '.config/git/config'), '[include]\n\tpath = ~/more\n');
  expect(tame()).toContain('core.hookspath, alias.x, include.path');
  const left = readFileSync(join(home, '.gitconfig'), 'utf8');
  expect(left).toContain('name = Ada');
  expect(left).toContain('st = status');
  expect(left).not.toMatch(/hooksPath|!sh/);
  expect(readFileSync(join(home, '.gitconfig.set-aside-by-handrail'), 'utf8')).toBe(poisoned);
  expect(tame()).toBeUndefined();
});

test('links are put aside and never followed', () => {
  const outside = join(base, 'outside');
  mkdirSync(join(outside, 'git'), { recursive: true });
  writeFileSync(join(outside, 'config'), '[core]\n\teditor = evil\n');
  writeFileSync(join(outside, 'git/config'), '[core]\n\teditor = evil\n');
  symlinkSync(join(outside, 'config'), join(home, '.gitconfig'));
  rmSync(join(home, '.config'), { recursive: true });
  symlinkSync(outside, join(home, '.config'));
  expect(tame()).toContain('what .config led to');
  expect(existsSync(join(home, '.gitconfig'))).toBe(false);
  expect(lstatSync(join(home, '.config'), { throwIfNoEntry: false })).toBeUndefined();
  expect(readFileSync(join(outside, 'config'), 'utf8')).toContain('evil');
  expect(readFileSync(join(outside, 'git/config'), 'utf8')).toContain('evil');
});

test('a home without any is left alone', () => {
  rmSync(join(home, '.config'), { recursive: true });
  expect(tame()).toBeUndefined();
});

test('a trap that one conversation sets in the home does not spring in the next', async () => {
  const net = openNetworkWorld({ settings: { mode: 'off' } });
  const world = openShellWorld({ sandbox: { network: net.network } });
  const commit =
    'git init -q "$N" && cd "$N" && git commit -q --allow-empty -m x 2>&1; git log --format=%an; git config --global user.name';
  try {
    await world.run(
      'git config --global user.name Ada; git config --global user.email a@example.org; mkdir -p ~/evil; printf "#!/bin/sh\\necho SPRUNG\\n" >~/evil/pre-commit; chmod +x ~/evil/pre-commit; git config --global core.hooksPath ~/evil',
      { fresh: true },
    );
    const next = await world.run(commit, { fresh: true, env: { N: 'next' } });
    expect(next.stdout.text).toBe('Ada\nAda\n');
    expect(next.notes.join()).toContain('core.hookspath');
    // The twin: where nobody looks, it springs.
    const blind = openShellWorld({ sandbox: { stateFolder: world.stateFolder } });
    await world.run('git config --global core.hooksPath ~/evil', { fresh: true });
    const sprung = await blind.run(commit, { fresh: true, env: { N: 'twin' } });
    await blind.close();
    expect(sprung.stdout.text).toContain('SPRUNG');
  } finally {
    await world.close();
    await net.close();
  }
});

test('what a home holds for npm, pip and go has no say, and a project still has', async () => {
  const net = openNetworkWorld({ settings: { mode: 'off' } });
  const world = openShellWorld({ sandbox: { network: net.network } });
  try {
    await world.run(
      'mkdir -p ~/.config/pip ~/.config/go; echo script-shell=/evil >~/.npmrc; printf "[global]\\nindex-url = http://evil.example\\n" >~/.config/pip/pip.conf',
    );
    const seen = await world.run(
      'echo $npm_config_userconfig $PIP_CONFIG_FILE $GOENV; cat $npm_config_userconfig; pip3 config list',
    );
    expect(seen.stdout.text).toContain(
      '/run/handrail-net/npmrc /run/handrail-net/pip.conf off\nprefix=${HOME}/.local\n',
    );
    expect(seen.stdout.text).not.toContain('evil');
  } finally {
    await world.close();
    await net.close();
  }
});
