import { expect, test } from 'vitest';
import { createProgramWorld } from '../kit/program.ts';
import { callTool, dataOf } from '../kit/tool-call.ts';

const inConversation = { flags: ['--conversation', 'c1'] };

test('[N09] a Python opened by one program answers the next ones, until it is closed', async () => {
  const world = createProgramWorld();
  const terminal = (input: object) => dataOf(world, 'terminal', input, inConversation);
  expect(await terminal({ action: 'open', name: 'py', command: 'python3' })).toMatchObject({ alive: true });
  await terminal({ action: 'send_input', name: 'py', input: '1+1\n' });
  expect((await terminal({ action: 'read_screen', name: 'py' }))['screen']).toMatch(/>>> 1\+1\n2\n>>>$/);
  expect(await terminal({ action: 'list' })).toMatchObject({
    terminals: [{ name: 'py', command: 'python3', alive: true }],
  });
  const { outcome } = await callTool(
    world,
    'terminal',
    { action: 'read_screen', name: 'py' },
    { flags: ['--conversation', 'c2'] },
  );
  expect(outcome.error?.code).toBe('not_found');
  await terminal({ action: 'close', name: 'py' });
  expect(await terminal({ action: 'list' })).toEqual({ terminals: [] });
  await world.untilQuiet();
});

test('[N08] the list of commands holds for chains, for what is opened and for what is typed', async () => {
  const world = createProgramWorld();
  world.writeSettings({ terminal: { allowedCommands: ['ls', 'bash'] } });
  const flags = [...inConversation.flags, '--approve', 'all'];
  const codeOf = async (input: object) => (await callTool(world, 'terminal', input, { flags })).outcome.error?.code;
  expect(await codeOf({ command: 'ls' })).toBeUndefined();
  for (const command of ['curl x', 'ls; curl x', 'ls $(curl x)', 'find . -exec curl {} +', 'bash -c curl']) {
    expect(await codeOf({ command }), command).toBe('denied');
  }
  expect(await codeOf({ action: 'open', command: 'python3' })).toBe('denied');
  expect(await codeOf({ action: 'open' })).toBeUndefined();
  expect(await codeOf({ action: 'send_input', input: 'ls<enter>' })).toBeUndefined();
  expect(await codeOf({ action: 'send_input', input: 'cur' })).toBeUndefined();
  expect(await codeOf({ action: 'send_input', input: 'l x<enter>' })).toBe('denied');
  expect(await codeOf({ action: 'close' })).toBeUndefined();
  await world.untilQuiet();
});

test('[N08] what is typed into a shell is asked about as a command is, also in pieces', async () => {
  const world = createProgramWorld();
  const call = async (input: object) => (await callTool(world, 'terminal', input, inConversation)).outcome;
  await call({ action: 'open' });
  expect((await call({ action: 'send_input', input: 'rm -rf build<enter>' })).text).toContain(
    'removes files of the workspace',
  );
  expect((await call({ action: 'send_input', input: 'rm -r' })).ok).toBe(true);
  expect((await call({ action: 'send_input', input: 'f build<enter>' })).error?.code).toBe('denied');
  expect((await call({ action: 'send_input', input: '<ctrl-c>echo all "$((40+2))" well<enter>' })).text).toContain(
    'all 42 well',
  );
  await call({ action: 'close' });
  await world.untilQuiet();
});

test('[N07] code_exec runs each language apart, and fails as a result', async () => {
  const world = createProgramWorld();
  expect(await dataOf(world, 'code_exec', { code: 'print(6*7)' })).toMatchObject({ stdout: '42\n', exit_code: 0 });
  const typed = { code: 'const a: number = await 42; console.log(a)', language: 'typescript' };
  expect(await dataOf(world, 'code_exec', typed)).toMatchObject({ stdout: '42\n', language: 'typescript' });
  const failed = await dataOf(world, 'code_exec', { code: 'raise SystemExit(3)' });
  expect(failed).toMatchObject({ exit_code: 3, success: false });
  await world.untilQuiet();
});
