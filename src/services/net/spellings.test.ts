/** Every way to write an address that is not for everybody, through the proxy itself. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  leftOfNetworkWorlds,
  listen,
  type NetworkWorld,
  openNetworkWorld,
  socksConnect,
  talk,
} from '../../../test/kit/network-world.ts';
import { classifyAddress } from './address-class.ts';

afterAll(() => expect(leftOfNetworkWorlds()).toEqual([]));

const loopback = [
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7F000001', '0x7f.0.0.1', '0x7f.1', '017700000001'],
  ...['0177.0.0.1', '0177.1', '127.0.0.1.', '127.000.000.001', '0X7f.0X0.0.0x1', '127.0.0.0x1', '00177.0.0.01'],
]; // prettier-ignore

/** Raw bytes beyond ASCII are no HTTP; SOCKS carries them. */
const wideLoopback = ['１２７.０.０.１', '127。0。0。1', '①②⑦.⓪.⓪.①', '0x7f。1', '127．1'];

const others = [
  ...['0', '0.0.0.0', '00', '0x0', '127.255.255.254', '127.0.0.2', 'localhost', 'LOCALHOST', 'localhost.', 'a.localhost'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::]', '[::ffff:127.0.0.1]'],
  ...['[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:0:127.0.0.1]'],
  ...['[64:ff9b::7f00:1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]'],
  ...['[2001:0:7f00:1::]', '[2001::1]', '[2606:4700::5efe:7f00:1]', '[2606:4700::200:5efe:7f00:1]', '[fe80::1]'],
  ...['[fe80::1%lo]', '[fe80::1%25lo]', '[::1%lo]', '[fec0::1]', '[fc00::1]', '[fd12:3456::1]', '[fd00:ec2::254]'],
  ...['[FD00:EC2::254]', '[fd20:ce::254]', '[ff02::1]', '[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]'],
  ...['169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '169.254.43518', '169.254.170.2'],
  ...['100.100.100.200', '192.0.0.192', '168.63.129.16', '10.0.0.1', '012.1', '0xa000001', '172.16.0.1', '172.31.255.255'],
  ...['192.168.0.1', '192.168.1', '0xc0a80001', '3232235521', '100.64.0.1', '100.127.255.254', '224.0.0.1', '239.1.1.1'],
  ...['240.0.0.1', '255.255.255.255', '198.18.0.1', '203.0.113.9', '[2001:db8::1]', '[3fff::1]', '[::ffff:10.0.0.1]'],
  ...['metadata.example', 'METADATA.Example.', 'inside.example', 'mixed-inside.example', 'mapped.example', 'zoned.example'],
]; // prettier-ignore

const broken = [
  ...['%31%32%37.0.0.1', '127%2e0%2e0%2e1', '127.0.0.1%00.example', '256.0.0.1', '1.2.3.4.5', '0x7f.0.0.0.1', '[::1', '::1]'],
  ...['[127.0.0.1]', 'a..example', 'exa mple', 'a\\b', 'x'.repeat(300), `${'a'.repeat(64)}.example`, '127.0.0.1,x', ''],
]; // prettier-ignore

const names = {
  'metadata.example': ['169.254.169.254'],
  'inside.example': ['127.0.0.1'],
  'mixed-inside.example': ['10.0.0.1', '::1', 'fd00::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'zoned.example': ['fe80::1%lo'],
};

let world: NetworkWorld;
let proxy = 0;
let privatePort = 0;
let hits = 0;
const privateServer = createServer((_request, response) => {
  hits += 1;
  response.end('a private page');
});

beforeAll(async () => {
  privatePort = await listen(privateServer);
  world = openNetworkWorld({ settings: { mode: 'on' }, names });
  proxy = await world.openProxy();
});

afterAll(async () => {
  await world.close();
  privateServer.close();
});

const asPage = (host: string): string =>
  `GET http://${host}:${privatePort}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
const asTunnel = (host: string): string => `CONNECT ${host}:${privatePort} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('there are more than sixty spellings', () => {
  expect(new Set([...loopback, ...wideLoopback, ...others]).size).toBeGreaterThan(90);
});

test.each([...loopback, ...wideLoopback, ...others])(
  '[A34] %s is refused as a page, as a tunnel and by SOCKS',
  async (host) => {
    const before = hits;
    expect(await talk(proxy, asPage(host))).toMatch(/^HTTP\/1\.1 40[03] [\s\S]*Handrail: /);
    expect(await talk(proxy, asTunnel(host))).toMatch(/^HTTP\/1\.1 40[03] [\s\S]*Handrail: /);
    const bare = host.replace(/^\[(.*)\]$/, '$1');
    const { code, socket } = await socksConnect(proxy, bare, privatePort);
    socket.destroy();
    expect(code).toBe(2);
    expect(hits).toBe(before);
  },
);

test.each(broken)('[A34] "%s" names nothing that could be reached', async (host) => {
  expect(await talk(proxy, asTunnel(host))).toMatch(/^HTTP\/1\.1 400 /);
  expect(await talk(proxy, asPage(host))).toMatch(/^HTTP\/1\.1 400 /);
});

test.each([
  [(port: number) => `http://public.example@127.0.0.1:${port}/`],
  [(port: number) => `http://public.example:80@127.0.0.1:${port}/`],
  [(port: number) => `http://127.0.0.1:${port}#@public.example/`],
  [(port: number) => `http://127.0.0.1:${port}?@public.example/`],
  [(port: number) => `http://127.0.0.1:${port}\\@public.example/`],
  [(port: number) => `HTTP://127.0.0.1:${port}/`],
  [(port: number) => `http:/127.0.0.1:${port}/`],
  [(port: number) => `http:127.0.0.1:${port}/`],
  [(port: number) => `//127.0.0.1:${port}/`],
])('[A34] an address that hides its host (%#) leads nowhere', async (write) => {
  const before = hits;
  const answer = await talk(
    proxy,
    `GET ${write(privatePort)} HTTP/1.1\r\nHost: public.example\r\nConnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 40[03] /);
  expect(hits).toBe(before);
});

test('[A34] without the judgement of addresses each of these spellings reaches the private server', async () => {
  const open = openNetworkWorld({ settings: { mode: 'on' }, names, classify: () => 'public' });
  try {
    const port = await open.openProxy();
    for (const host of [...loopback, 'inside.example']) {
      expect(await talk(port, asPage(host)), host).toContain('a private page');
    }
    for (const host of [...wideLoopback, ...loopback]) {
      const { code, socket } = await socksConnect(port, host, privatePort);
      socket.destroy();
      expect(code, host).toBe(0);
    }
  } finally {
    await open.close();
  }
});

test('[A34] what is opened is exactly one host and port, in every spelling of it, and nothing else', async () => {
  const open = openNetworkWorld({ settings: { mode: 'on', allowPrivate: [`127.0.0.1:${privatePort}`] }, names });
  try {
    const port = await open.openProxy();
    for (const host of loopback) expect(await talk(port, asPage(host)), host).toContain('a private page');
    expect(await talk(port, asPage('127.0.0.2'))).toContain('403 Forbidden');
    expect(await talk(port, asPage('inside.example'))).toContain('403 Forbidden');
    expect(await talk(port, `CONNECT 127.0.0.1:${privatePort + 1} HTTP/1.1\r\n\r\n`)).toContain('403 Forbidden');
  } finally {
    await open.close();
  }
});

test('[A36] metadata stays closed although the settings try to open it', async () => {
  const tried = [
    '169.254.169.254:80',
    '169.254.170.2:80',
    '100.100.100.200:80',
    '[fd00:ec2::254]:80',
    'metadata.example:80',
  ];
  const open = openNetworkWorld({ settings: { mode: 'on', allow: tried, allowPrivate: tried }, names });
  try {
    const port = await open.openProxy();
    for (const host of tried)
      expect(await talk(port, `CONNECT ${host} HTTP/1.1\r\n\r\n`), host).toContain('403 Forbidden');
  } finally {
    await open.close();
  }
});

test.each([
  ...[
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.1.1',
  ],
  ...['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450::1', '2400::1'],
])('%s is a public address', (address) => {
  expect(classifyAddress(address)).toBe('public');
});
