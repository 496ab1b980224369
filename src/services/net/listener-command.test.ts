/** The two programs that open the listener of a sandbox: each hands over one that accepts connections without making us wait. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, Server } from 'node:net';
import { expect, test } from 'vitest';
import { insidePort } from './inside-places.ts';
import { listenerCommand, listenInPerl, listenScript } from './listener-command.ts';

/** On a port of the machine's choice, since this is the machine's network. */
const onAnyPort = (text: string): string => text.replace(`${insidePort}`, '0');
const sendmsg = process.arch === 'x64' ? '46' : '211';

test.each([
  { name: 'Perl', file: '/usr/bin/perl', args: ['-f', '-e', onAnyPort(listenInPerl), '3', sendmsg] },
  { name: 'Node', file: process.execPath, args: ['-e', onAnyPort(listenScript)] },
])('[A28] $name hands its listener over, accepts nothing itself and ends when the channel is closed', async (by) => {
  const child = spawn(by.file, by.args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: {} });
  const ended = once(child, 'exit');
  const [, listener] = (await once(child, 'message')) as [unknown, unknown];
  if (!(listener instanceof Server)) throw new Error('no listener came');
  child.disconnect();
  expect(await ended).toEqual([0, null]);
  listener.on('connection', (socket) => socket.end('hello'));
  const { address, port } = listener.address() as AddressInfo;
  expect(address).toBe('127.0.0.1');
  const answers = Array.from({ length: 3 }, async () => {
    const [bytes] = (await once(connect(port, address), 'data')) as [Buffer];
    return bytes.toString();
  });
  expect(await Promise.all(answers)).toEqual(['hello', 'hello', 'hello']);
  await new Promise((resolve) => listener.close(resolve));
});

test('Perl that cannot hand over says so by its code, and Node is asked then', async () => {
  const child = spawn('/usr/bin/perl', ['-f', '-e', onAnyPort(listenInPerl), '3', '99999'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {},
  });
  expect(await once(child, 'exit')).toEqual([1, null]);
  const wanted = {
    nodeHandle: 4,
    channelHandle: 5,
    loader: undefined,
    shell: ['/bin/sh'],
    perl: ['/usr/bin/perl'],
    program: ['/bin/true'],
  };
  expect(listenerCommand(wanted)[2]).toMatch(/^\{ \/usr\/bin\/perl .*listen\.pl 5 \d+ \|\| NODE_CHANNEL_FD=5 /);
});
