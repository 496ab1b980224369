import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShellWorld } from '../../../test/kit/shell-world.ts';
import { openTerminalWorld, type TerminalWorld } from '../../../test/kit/terminal-world.ts';

let world: TerminalWorld;

beforeAll(() => {
  world = openTerminalWorld();
});

afterAll(async () => {
  expect(await world.close()).toEqual([]);
});

const shown = (screen: { readonly lines: readonly string[] }) => screen.lines.join('\n').trimEnd();

describe('programs', () => {
  test('[N09] a Python that was opened counts, and its end is told with its code', async () => {
    const terminals = world.forConversation();
    const opened = await terminals.open({ name: 'py', command: 'python3' });
    expect(opened).toMatchObject({
      name: 'py',
      command: 'python3',
      columns: 80,
      rows: 24,
      isAlive: true,
      exitCode: null,
    });
    await world.until('py', />>>/);
    await terminals.send('py', '1+1<enter>');
    expect(shown(await world.until('py', /1\+1\n2\n>>>/))).toContain('2');
    expect((await terminals.list()).map(({ name }) => name)).toEqual(['py']);
    await terminals.send('py', 'import time; time.sleep(60)<enter>', { waitMs: 100 });
    await terminals.send('py', '<ctrl-c>');
    await world.until('py', /KeyboardInterrupt\n>>>/);
    await terminals.send('py', 'exit(7)\n');
    await world.until('py', ({ isAlive, exitCode }) => !isAlive && exitCode === 7);
    await expect(terminals.send('py', '1<enter>')).rejects.toThrow('has ended with exit code 7, so nothing was typed');
    await terminals.close('py');
    await expect(terminals.read('py')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('[S28] vim edits and saves a file, drawn anew after a resize', async () => {
    const terminals = world.forConversation();
    const vim = existsSync('/usr/bin/vim') ? 'vim' : 'vim.tiny';
    await terminals.open({ name: 'vim', command: `${vim} -u NONE note.txt` });
    await world.until('vim', /~\n~/);
    const resized = await terminals.resize('vim', { columns: 100, rows: 30 });
    expect(resized).toMatchObject({ columns: 100, rows: 30 });
    await terminals.send('vim', 'ihello <lt>world><enter>second');
    await world.until('vim', /hello <world>\nsecond\n~/);
    await terminals.send('vim', '<esc>:wq<enter>');
    await world.until('vim', ({ isAlive }) => !isAlive);
    expect(readFileSync(join(world.workspace, 'note.txt'), 'utf8')).toBe('hello <world>\nsecond\n');
  });

  test('[S28] less pages, with colours of its own, and goes away', async () => {
    const terminals = world.forConversation();
    writeFileSync(
      join(world.workspace, 'long.txt'),
      Array.from({ length: 500 }, (_, line) => `line ${line}`).join('\n'),
    );
    await terminals.open({ name: 'less', command: 'less long.txt', rows: 10 });
    await world.until('less', /^line 0\n/);
    await terminals.send('less', '<pagedown>');
    await world.until('less', /^line 9\n/);
    await terminals.send('less', 'G');
    await world.until('less', /line 499/);
    await terminals.send('less', 'q');
    const ended = await world.until('less', ({ isAlive }) => !isAlive);
    expect(ended.exitCode).toBe(0);
  });

  test('[S31] a slow program shows each line as it prints', async () => {
    const terminals = world.forConversation();
    const code = 'import sys\nfor n in range(3):\n  print("line", n)\n  sys.stdin.readline()\n';
    writeFileSync(join(world.workspace, 'slow.py'), code);
    await terminals.open({ name: 'slow', command: 'python3 slow.py | cat' });
    for (const n of [0, 1, 2]) {
      await world.until('slow', new RegExp(`line ${n}`));
      await terminals.send('slow', '<enter>');
    }
    const ended = await world.until('slow', ({ isAlive }) => !isAlive);
    expect(ended.exitCode).toBe(0);
  });

  test('a program that is not there, and a folder that is not', async () => {
    const terminals = world.forConversation();
    await terminals.open({ name: 'none', command: 'no-such-program' });
    const ended = await world.until('none', ({ isAlive }) => !isAlive);
    expect(ended.exitCode).toBe(127);
    await expect(terminals.open({ name: 'else', workingDir: 'no/such' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(terminals.open({ name: 'a/b' })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('a shell', () => {
  test('has job control: Ctrl-C, Ctrl-Z, fg, and the size it is given', async () => {
    const terminals = world.forConversation('shell');
    await terminals.open({ name: 'sh', columns: 90, rows: 20 });
    const send = (input: string) => terminals.send('sh', input, { waitMs: 300 });
    await send('stty size; echo "$TERM"<enter>');
    await world.until('sh', /20 90\nxterm-256color/, 'shell');
    await send('sleep 1000<enter>');
    await send('<ctrl-z>');
    await world.until('sh', /Stopped +sleep 1000/, 'shell');
    await send('fg<enter>');
    // What is typed behind Ctrl-C is a line of its own.
    await send('<ctrl-c>echo code $?<enter>');
    await world.until('sh', /code 130/, 'shell');
    await terminals.resize('sh', { columns: 60, rows: 20 });
    await send('stty size<enter>');
    await world.until('sh', /20 60/, 'shell');
    await send('exit 3<enter>');
    const ended = await world.until('sh', ({ isAlive }) => !isAlive, 'shell');
    expect(ended.exitCode).toBe(3);
  });

  test('[S30] top and ps show what runs in the sandbox and nothing of the machine', async () => {
    const terminals = world.forConversation('top');
    await terminals.open({ name: 'sh', columns: 100, rows: 40 });
    await terminals.send('sh', 'sleep 4321 & ps -eo comm= | sort | tr "\\n" " "<enter>');
    const { lines } = await world.until('sh', /sleep sort tr|ps sh sleep/, 'top');
    expect(lines.join(' ')).not.toContain('node');
    await terminals.send('sh', 'clear; top -b -n 1 | tail -n +7<enter>');
    await world.until('sh', /handrail.* sleep/, 'top');
    await terminals.close('sh');
  });

  test('starts clean, whatever lies in the home, and keeps no history there', async () => {
    const terminals = world.forConversation('clean');
    const home = statSync(world.workspace).uid === 0 ? join(world.stateFolder, 'home') : '';
    await terminals.open({ name: 'one' });
    await terminals.send('one', 'echo "echo POISON" >~/.bashrc; echo "echo POISON" >~/.bash_profile; exit<enter>');
    await world.until('one', ({ isAlive }) => !isAlive, 'clean');
    await terminals.open({ name: 'two' });
    await terminals.send('two', 'echo ready; ls -a ~<enter>');
    expect(shown(await world.until('two', /ready\n/, 'clean'))).not.toMatch(/POISON|bash_history/);
    await terminals.send('two', 'rm ~/.bashrc ~/.bash_profile<enter>');
    await terminals.close('two');
    expect(home === '' || !existsSync(join(home, '.bash_history'))).toBe(true);
  });

  test('ten megabytes go by, and the end of them is there', async () => {
    const terminals = world.forConversation('flood');
    await terminals.open({ name: 'flood', command: 'seq 1 1500000' });
    const ended = await world.until('flood', ({ isAlive }) => !isAlive, 'flood');
    expect(ended.lines).toContain('1500000');
    const { history = [] } = await terminals.read('flood', { historyLines: 5 });
    expect(history).toHaveLength(5);
    await terminals.close('flood');
  });
});

describe('the keeper', () => {
  test('[N09] terminals belong to their conversation, and live on for the next program', async () => {
    await world.forConversation('a').open({ name: 'same', command: 'cat' });
    await expect(world.forConversation('b').read('same')).rejects.toMatchObject({ code: 'not_found' });
    expect(await world.forConversation('b').list()).toEqual([]);
    await expect(world.forConversation('a').open({ name: 'same' })).rejects.toMatchObject({ code: 'conflict' });
    const next = world.another();
    await world.forConversation('a', next).send('same', 'hello<enter>');
    await world.until('same', /hello\nhello/, 'a');
    await next.closeConversation('a');
    await expect(world.forConversation('a').read('same')).rejects.toMatchObject({ code: 'not_found' });
    await next.close();
  });

  test('two at once are one keeper, and more than ten terminals are refused', async () => {
    const owners = [world.owner, world.another(), world.another()];
    await Promise.all(
      owners.map((owner, at) => world.forConversation(`at-${at}`, owner).open({ name: 't', command: 'cat' })),
    );
    expect((await world.owner.all.list()).filter(({ name }) => name === 't')).toHaveLength(3);
    const many = world.forConversation('many');
    for (let at = 0; at < 10; at += 1) await many.open({ name: `t${at}`, command: 'cat', waitMs: 0 });
    await expect(many.open({ name: 'more' })).rejects.toMatchObject({ code: 'busy' });
    await many.close('t3');
    await many.open({ name: 'more', command: 'cat', waitMs: 0 });
    await Promise.all(['many', 'at-0', 'at-1', 'at-2'].map((id) => world.owner.closeConversation(id)));
  });

  test('[S10] a person sees what was printed before, types, and is told of the end', async () => {
    await world.forConversation('person').open({ name: 'cat', command: 'echo before; cat' });
    await world.until('cat', /before/, 'person');
    const view = await world.owner.all.attach('person', 'cat');
    expect(view.replay.toString()).toContain('before');
    let seen = '';
    view.onData((bytes) => (seen += bytes.toString()));
    view.write('typed\r');
    view.resize(70, 11);
    await expect.poll(() => seen, { timeout: 10_000 }).toMatch(/typed\r\ntyped/);
    await expect.poll(async () => (await world.forConversation('person').read('cat')).columns).toBe(70);
    view.write('\x04');
    expect(await view.exit).toBe(0);
  });

  test('what a program does not read holds nobody up, and all of a large paste arrives where it does', async () => {
    const terminals = world.forConversation('paste');
    await terminals.open({ name: 'deaf', command: 'stty raw -echo; echo ready; sleep 60' });
    await world.until('deaf', /ready/, 'paste');
    const deaf = await world.owner.all.attach('paste', 'deaf');
    for (let at = 0; at < 40; at += 1) deaf.write('x'.repeat(60_000));
    await terminals.open({ name: 'reader', command: 'stty raw -echo; echo ready; head -c 200000 | wc -c' });
    await world.until('reader', /ready/, 'paste');
    const reader = await world.owner.all.attach('paste', 'reader');
    for (let at = 0; at < 4; at += 1) reader.write('y'.repeat(50_000));
    const counted = await world.until('reader', /200000/, 'paste');
    expect(counted.lines.join('\n')).toContain('200000');
    deaf.detach();
    await world.owner.closeConversation('paste');
  });

  test('its socket is for us alone, and nothing of a terminal is readable in the process list', async () => {
    await world.forConversation('private').open({ name: 'cat', command: 'cat # s3cret-text' });
    const folder = join(world.stateFolder, 'run/terminals-1');
    expect([statSync(folder).mode & 0o777, statSync(join(folder, 'socket')).mode & 0o777]).toEqual([0o700, 0o600]);
    const keeper = execFileSync('ps', ['-eo', 'args']).toString().split('\n');
    expect(keeper.filter((line) => line.includes('s3cret-text') && line.includes('keeper'))).toEqual([]);
    chmodSync(folder, 0o700);
    await world.owner.closeConversation('private');
  });
});

test('[S14] a terminal and the chat’s shell do not wait for each other', async () => {
  const shell = openShellWorld();
  await world.forConversation('busy').open({ name: 'long', command: 'sleep 1000', waitMs: 0 });
  expect((await shell.run('echo hi')).stdout.text).toBe('hi\n');
  expect(await world.forConversation('busy').read('long')).toMatchObject({ isAlive: true });
  await world.forConversation('busy').close('long');
  await shell.close();
});

test('an open that is called off leaves no terminal', async () => {
  const conversation = { id: 'off', workspace: world.workspace, isThrowaway: false };
  const granted = [
    { kind: 'command', command: 'cat', cwd: '/', isDangerous: false, isSandboxed: true, heads: [], findings: [] },
  ] as const;
  const stop = new AbortController();
  const face = world.owner.forCall({ callId: 'x', conversation, granted, signal: stop.signal });
  const opened = face.open({ name: 't', command: 'cat', waitMs: 5_000 });
  await expect.poll(async () => (await world.forConversation('off').list()).length, { timeout: 10_000 }).toBe(1);
  stop.abort(new Error('called off'));
  await expect(opened).rejects.toThrow('called off');
  await expect.poll(async () => (await world.forConversation('off').list()).length, { timeout: 10_000 }).toBe(0);
});

describe('what was granted', () => {
  test('[N08] is looked at again: nothing else is opened or typed, and nothing behind somebody else', async () => {
    const conversation = { id: 'g', workspace: world.workspace, isThrowaway: false };
    const granted = {
      kind: 'command',
      command: 'cat',
      cwd: '/',
      isDangerous: false,
      isSandboxed: true,
      heads: [],
      findings: [],
    } as const;
    const { signal } = new AbortController();
    const face = world.owner.forCall({ callId: 'x', conversation, granted: [granted], signal });
    expect(() => face.open({ name: 't', command: 'bash' })).toThrow('not what the call was allowed');
    await face.open({ name: 't', command: 'cat' });
    expect(() => face.send('t', 'cat')).toThrow('not what the call was allowed');
    const { count } = await world.owner.typedState(conversation, 't');
    const typed = { ...granted, command: 'x<enter>', typedInto: { terminal: 't', count } };
    const typist = world.owner.forCall({ callId: 'y', conversation, granted: [typed], signal });
    await typist.send('t', 'x<enter>');
    await expect(typist.send('t', 'x<enter>')).rejects.toMatchObject({ code: 'conflict' });
    await world.owner.closeConversation('g');
  });

  test('[N08] without the look anything is opened', async () => {
    const open = world.another({ isGranted: (scope) => scope.granted.find((access) => access.kind === 'command') });
    const conversation = { id: 'h', workspace: world.workspace, isThrowaway: false };
    const granted = {
      kind: 'command',
      command: 'cat',
      cwd: '/',
      isDangerous: false,
      isSandboxed: true,
      heads: [],
      findings: [],
    } as const;
    const face = open.forCall({ callId: 'x', conversation, granted: [granted], signal: new AbortController().signal });
    expect(await face.open({ name: 't', command: 'echo else' })).toMatchObject({ command: 'echo else' });
    await open.closeConversation('h');
  });
});
