/** Root in a workspace that belongs to somebody else: what the file tools make is that user's, and `~` is that user's home. */
import { chownSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CallScope } from '../../contract/services.ts';
import { isRoot, ordinaryUid } from '../../../test/kit/ordinary-user.ts';
import { createTemporaryTree } from '../../../test/kit/temporary-tree.ts';
import { createFiles } from './create-files.ts';

describe.runIf(isRoot)('root in the workspace of a user', () => {
  async function open(owner: number) {
    const root = await createTemporaryTree();
    for (const name of ['work', 'state', 'state/home', 'state/home-of-user', 'user']) mkdirSync(join(root, name));
    chownSync(join(root, 'work'), owner, owner);
    chownSync(join(root, 'state/home-of-user'), owner, owner);
    const workspace = join(root, 'work');
    const files = createFiles({
      stateRoots: [join(root, 'state')],
      artifactsFolder: join(root, 'state/artifacts'),
      homeFolder: join(root, 'state/home'),
      homePath: '/home/handrail',
      homeOf: () => Promise.resolve(join(root, 'state/home-of-user')),
      workspacesFolder: join(root, 'state/workspaces'),
      trashFolder: join(root, 'state/trash'),
      userHome: join(root, 'user'),
    });
    const conversation = { id: 'conversation', workspace, isThrowaway: true };
    const scope: CallScope = { callId: 'call', conversation, granted: [], signal: new AbortController().signal };
    return { root, workspace, face: files.forCall(scope), files, conversation };
  }

  it('[S16] `~` is the home of the user that commands are', async () => {
    const { root, face, files, conversation } = await open(ordinaryUid);
    await face.write('~/notes', Buffer.from('x'));
    expect(readFileSync(join(root, 'state/home-of-user/notes'), 'utf8')).toBe('x');
    expect(await files.resolve({ kind: 'path', path: '~/notes', mode: 'read' }, conversation)).toMatchObject({
      zone: 'home',
      realPath: join(root, 'state/home-of-user/notes'),
    });
    expect((await face.read('/home/handrail/notes')).bytes.toString()).toBe('x');
  });

  it('[S16] the home of root is out of reach from there', async () => {
    const { root, files, conversation } = await open(ordinaryUid);
    const path = join(root, 'state/home/secret');
    expect(await files.resolve({ kind: 'path', path, mode: 'read' }, conversation)).toMatchObject({ zone: 'state' });
  });

  it('new files and folders are that user’s', async () => {
    const { workspace, face } = await open(ordinaryUid);
    await face.write('a/b/new.txt', Buffer.from('x'));
    await face.makeFolder('made');
    await face.append('log', Buffer.from('x'));
    const owners = ['a', 'a/b', 'a/b/new.txt', 'made', 'log'].map((name) => statSync(join(workspace, name)).uid);
    expect(owners).toEqual([ordinaryUid, ordinaryUid, ordinaryUid, ordinaryUid, ordinaryUid]);
  });

  it('twin: in a folder of root’s they are root’s, and `~` is root’s', async () => {
    const { root, workspace, face } = await open(0);
    await face.write('new.txt', Buffer.from('x'));
    await face.write('~/notes', Buffer.from('x'));
    expect(statSync(join(workspace, 'new.txt')).uid).toBe(0);
    expect(readFileSync(join(root, 'state/home/notes'), 'utf8')).toBe('x');
  });
});
