import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MisuseFailure } from '../../contract/failure.ts';
import { chooseWorkspace } from './choose-workspace.ts';

let root: string;
const at = (name: string) => path.join(root, name);
const choose = (wanted: string | undefined) =>
  chooseWorkspace(wanted, {
    userHome: at('users/me'),
    stateRoots: [at('state')],
    workspacesFolder: at('state/workspaces'),
  });

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'handrail-workspace-')));
  for (const name of ['users/me/project', 'state/workspaces/one', 'state/artifacts']) {
    await mkdir(at(name), { recursive: true });
  }
  await writeFile(at('file'), '');
  await symlink(at('users/me'), at('link-to-home'));
  await symlink(at('users/me/project'), at('link-to-project'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('a folder, also through a link, and one of those that we made', async () => {
  expect(await choose(at('users/me/project'))).toBe(at('users/me/project'));
  expect(await choose(at('link-to-project'))).toBe(at('users/me/project'));
  expect(await choose(at('state/workspaces/one'))).toBe(at('state/workspaces/one'));
  expect(await choose(undefined)).toBe(await realpath(process.cwd()));
});

it.each([
  ['/', 'whole machine'],
  ['users/me', 'home folder'],
  ['users/me/', 'home folder'],
  ['users/me/project/..', 'home folder'],
  ['users', 'lies in it'],
  ['link-to-home', 'home folder'],
  ['state', 'own state'],
  ['state/artifacts', 'own state'],
  ['state/workspaces', 'own state'],
  ['file', 'no folder'],
  ['file/below', 'cannot be opened'],
  ['missing', 'does not exist'],
])('%s is refused as misuse, with the reason', async (name, reason) => {
  const wanted = name === '/' ? name : at(name);
  await expect(choose(wanted)).rejects.toThrow(MisuseFailure);
  await expect(choose(wanted)).rejects.toThrow(reason);
});

it('an empty name, as an unset variable of a script leaves it, does not mean the current directory', async () => {
  await expect(choose('')).rejects.toThrow(MisuseFailure);
});
