import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ResolvedAccess } from '../../contract/access.ts';
import type { CallScope } from '../../contract/services.ts';
import type { FileToView } from '../../contract/viewer.ts';
import { createViewer } from '../../services/viewer/create-viewer.ts';
import { createFileWorld } from '../../../test/kit/file-world.ts';
import openFile from './open-file.ts';
import shell from '../shell/execute-shell-command.ts';

type Allows = CallScope['request'];

function start(options: { readonly pages?: number; readonly hasDesktop?: boolean; readonly request?: Allows } = {}) {
  const world = createFileWorld();
  onTestFinished(() => world.remove());
  const shown: FileToView[] = [];
  const opened: string[] = [];
  const owner = createViewer({
    listeners: [(file) => (shown.push(file), options.pages ?? 0)],
    filesFor: (scope) => Promise.resolve(world.files.forCall(scope)),
    openOnDesktop: (file) => {
      if (options.hasDesktop === true) opened.push(file);
      return Promise.resolve(options.hasDesktop === true);
    },
  });
  const conversation = { id: 'talk', workspace: world.workspace, isThrowaway: false };
  const signal = new AbortController().signal;
  async function call(input: { readonly path: string; readonly folder?: 'home' | 'workspace' }) {
    const parsed = openFile.input.parse(input);
    const granted: ResolvedAccess[] = [];
    for (const access of openFile.access(parsed))
      if (access.kind === 'path') granted.push(await world.files.resolve(access, conversation));
    const scope: CallScope = {
      ...{ callId: 'c', conversation, granted, signal },
      ...(options.request === undefined ? {} : { request: options.request }),
    };
    const services = { files: world.files.forCall(scope), viewer: owner.forCall(scope) };
    return openFile.run(parsed, services, { signal, conversation, calledAs: 'open_file', emit: () => undefined });
  }
  return { world, shown, opened, call };
}

test('[K35] a page that shows the conversation gets the file, and the desktop is left alone', async () => {
  const { world, shown, opened, call } = start({ pages: 1, hasDesktop: true });
  world.put('state/home/out/plot.html', '<p>x');
  const { data, view } = await call({ path: 'out/plot.html' });
  const file = '/home/handrail/out/plot.html';
  expect(data).toEqual({ success: true, path: file, mime_type: 'text/html', opened_in: 'browser' });
  expect(view).toEqual({ kind: 'files', files: [{ path: file }] });
  expect(shown).toMatchObject([{ conversationId: 'talk', path: file }]);
  expect(opened).toEqual([]);
});

test('[K35] without a page the desktop opens pictures and documents at once, pages when a person allows it, programs never', async () => {
  const allowed: string[] = [];
  const { world, opened, call } = start({
    hasDesktop: true,
    request: (access) => {
      allowed.push(access.kind);
      return Promise.resolve({ verdict: 'allow', reason: 'test' });
    },
  });
  for (const name of ['a.png', 'b.pdf', 'c.html', 'd.desktop', 'e.sh']) world.put(`state/home/${name}`, 'x');
  for (const name of ['a.png', 'b.pdf', 'c.html', 'd.desktop', 'e.sh']) await call({ path: name });
  expect(opened.map((file) => path.basename(file))).toEqual(['a.png', 'b.pdf', 'c.html']);
  expect(allowed).toEqual(['app']);
  const alone = start({ hasDesktop: true });
  alone.world.put('state/home/c.html', 'x');
  expect((await alone.call({ path: 'c.html' })).data).toMatchObject({ success: false, opened_in: 'none' });
  expect(alone.opened).toEqual([]);
});

test('[K36] only a file that really lies in the folder is opened', async () => {
  const { world, shown, call } = start({ pages: 1 });
  world.put('state/home/a.txt', 'x');
  for (const bad of ['/etc/passwd', '../x', 'a/../../x', '']) await expect(call({ path: bad })).rejects.toThrow();
  const home = path.join(world.root, 'state/home');
  symlinkSync('/etc/os-release', path.join(home, 'release'));
  symlinkSync(path.join(world.workspace, 'w.txt'), path.join(home, 'elsewhere'));
  world.put('workspace/w.txt', 'x');
  mkdirSync(path.join(home, 'folder'));
  await expect(call({ path: 'release' })).rejects.toMatchObject({ code: 'denied' });
  await expect(call({ path: 'elsewhere' })).rejects.toMatchObject({ code: 'denied' });
  await expect(call({ path: 'folder' })).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(call({ path: 'w.txt' })).rejects.toMatchObject({ code: 'not_found' });
  expect(shown).toEqual([]);
  symlinkSync('a.txt', path.join(home, 'within'));
  expect((await call({ path: 'within' })).data).toMatchObject({ success: true });
  expect((await call({ path: 'w.txt', folder: 'workspace' })).data).toMatchObject({ success: true });
});

test('[K37] models are told to write HTML as one file', () => {
  for (const { description } of [openFile, shell]) expect(description).toMatch(/inline CSS and JavaScript/);
});
