/** The network of commands by `bin/handrail` and settings.json, as a user meets it. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../kit/network-world.ts';
import { createProgramWorld, type ProgramWorld } from '../kit/program.ts';
import { dataOf } from '../kit/tool-call.ts';

const server = createServer((request, response) => void response.end(`page ${request.url}`));
let port = 0;
beforeAll(async () => {
  port = await listen(server);
});
afterAll(() => void server.close());

function worldWith(
  network: object,
  allowPrivate: readonly string[] = [`127.0.0.1:${port}`, `localhost:${port}`],
): ProgramWorld {
  const world = createProgramWorld();
  world.writeSettings({ sandbox: { network }, net: { allowPrivate } });
  return world;
}

/** NO_PROXY names what a sandbox has of its own; these tests mean the machine's. */
const curl = (host: string): string => `curl -sS -m 20 --noproxy '' http://${host}:${port}/x`;

test('[K41] mode on reaches what may be reached, and only that', async () => {
  const world = worldWith({ mode: 'on' });
  const data = await dataOf(world, 'bash', { command: `${curl('127.0.0.1')}; echo; ${curl('127.0.0.2')}` });
  expect(data['stdout']).toMatch(/^page \/x\nHandrail: 127\.0\.0\.2:\d+ was not reached: it is a private address/);
  expect(data['notes']).toEqual([expect.stringContaining(`add "127.0.0.2:${port}" to net.allowPrivate`)]);
});

test('[K41] allow-list, the default: what is listed is reached, another host is refused and named', async () => {
  const world = worldWith({ allow: [`127.0.0.1:${port}`] });
  const data = await dataOf(world, 'bash', { command: `${curl('127.0.0.1')}; echo; ${curl('other.example')}` });
  expect(data['stdout']).toMatch(
    /^page \/x\nHandrail: other\.example:\d+ was not reached: it is not on the allow list/,
  );
  expect(data['notes']).toEqual([
    expect.stringContaining(`network: refused other.example:${port} (it is not on the allow list`),
  ]);
});

test('[K41] off: there is no network at all', async () => {
  const world = worldWith({ mode: 'off', allow: [`127.0.0.1:${port}`] });
  const data = await dataOf(world, 'bash', {
    command: `env | grep -ci proxy; ${curl('127.0.0.1')} || ls /sys/class/net; cat /proc/net/dev | grep -c :`,
  });
  expect(data['stdout']).toBe('0\n1\n');
});

test('[L19] a denied host stays denied in every mode, with what lies below it', async () => {
  const world = worldWith({ mode: 'on', allow: ['a.denied.example'], deny: ['denied.example', '127.0.0.1'] });
  const data = await dataOf(world, 'bash', {
    command: [curl('127.0.0.1'), curl('denied.example'), curl('a.denied.example')].join('; '),
  });
  expect(String(data['stdout']).match(/sandbox\.network\.deny names/g)).toHaveLength(3);
});

test('[L17] a new host is asked about while the command runs; the answer holds for its other connections', async () => {
  const world = worldWith({ mode: 'allow-list' });
  const both = { command: `${curl('127.0.0.1')}; ${curl('127.0.0.1')}` };
  const yes = await world.run(['run', 'bash', JSON.stringify(both), '--json', '--approve', 'all']);
  expect(JSON.parse(yes.stdout)).toMatchObject({ ok: true, data: { stdout: 'page /xpage /x' } });
  const no = await world.run(['run', 'bash', JSON.stringify(both), '--json', '--approve', 'none']);
  expect(
    (JSON.parse(no.stdout) as { data: { stdout: string } }).data.stdout.match(/not on the allow list/g),
  ).toHaveLength(2);
});

test('[A36] metadata is refused although everybody says yes', async () => {
  const world = worldWith({ mode: 'on', allow: ['169.254.169.254'] }, ['169.254.169.254:80']);
  const end = await world.run([
    'run',
    'bash',
    JSON.stringify({ command: 'curl -sS -m 9 http://169.254.169.254/' }),
    '--json',
    '--approve',
    'all',
  ]);
  expect(end.stdout).toContain('which commands never reach');
});

test('what was contacted is on record, without paths', async () => {
  const world = worldWith({ mode: 'on' });
  await dataOf(world, 'bash', { command: `${curl('127.0.0.1')}?key=secret; ${curl('169.254.169.254')}` });
  const lines = readFileSync(path.join(world.stateFolder, 'contacts.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ host: '127.0.0.1', port, decision: 'allowed', count: 1 }),
    expect.objectContaining({ host: '169.254.169.254', port, decision: 'refused' }),
  ]);
  expect(lines.join()).not.toContain('secret');
});

test('a conversation’s own shell has the network in later processes too', async () => {
  const world = worldWith({ mode: 'on' });
  const first = await dataOf(
    world,
    'bash',
    { command: `export A=1; ${curl('127.0.0.1')}` },
    { flags: ['--conversation', 'one'] },
  );
  const second = await dataOf(
    world,
    'bash',
    { command: `echo $A; ${curl('127.0.0.1')}` },
    { flags: ['--conversation', 'one'] },
  );
  expect([first['stdout'], second['stdout']]).toEqual(['page /x', '1\npage /x']);
});
