/** `handrail serve`: where it listens, who may come in, and what the routes of a screen give. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JournalEvent } from '../../src/contract/event.ts';
import type {
  WebConversation,
  WebConversationPage,
  WebEventPage,
  WebNotice,
  WebRemoval,
} from '../../src/contract/web-api.ts';
import { createProgramWorld } from '../kit/program.ts';
import { createWebClient, signIn } from '../kit/web-client.ts';
import { createWebJourney, newConversation } from '../kit/web-world.ts';

const at = ({ id }: Pick<WebConversation, 'id'>, more = '') => `/api/conversations/${id}${more}`;
const call = (tool: string, input: object) => ({ tool, input });

test(
  '[A4] an address that others can reach is refused without a password, whatever it is called',
  { timeout: 60_000 },
  async () => {
    const world = createProgramWorld();
    for (const host of ['0.0.0.0', '::', '192.0.2.1', '::ffff:0.0.0.0', '0', '0x7f.1', 'evil.test', '']) {
      const end = await world.run(['serve', '--port', '0', '--host', host]);
      expect([host, end.code, end.stdout]).toEqual([host, 2, '']);
      expect(end.stderr).toContain('--password-file');
    }
    world.write('short', 'too short\n');
    const end = await world.run(['serve', '--port', '0', '--host', '0.0.0.0', '--password-file', 'short']);
    expect([end.code, end.stderr]).toEqual([2, expect.stringContaining('12 characters')]);
    const missing = await world.run(['serve', '--port', '0', '--host', '0.0.0.0', '--password-file', 'none']);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('ENOENT')]);
  },
);

test('[A4] twin: with a stored password it is served, by its own addresses', async () => {
  const journey = await createWebJourney([]);
  const stored = await journey.run(['secrets', 'set', 'HANDRAIL_WEB_PASSWORD'], { stdin: 'correct horse battery\n' });
  expect(stored.code).toBe(0);
  const { client } = await journey.serve(['--port', '0', '--host', '0.0.0.0']);
  const password = 'correct horse battery';
  expect((await client.withCookie(undefined).send('POST', '/api/session', { password })).status).toBe(200);
});

test('[A4] twin: with a password it is served, and the password signs in; [A11] guesses run out', async () => {
  const journey = await createWebJourney([]);
  journey.write('password', 'correct horse battery\n');
  const { client } = await journey.serve(['--port', '0', '--host', '0.0.0.0', '--password-file', 'password']);
  const bare = client.withCookie(undefined);
  const signing = (password: string) => bare.send('POST', '/api/session', { password });
  expect((await signing('correct horse batterx')).status).toBe(401);
  const { status, headers } = await signing('correct horse battery');
  const [cookie = ''] = headers['set-cookie'] ?? [];
  expect([status, cookie]).toEqual([200, expect.stringMatching(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/)]);
  expect((await client.withCookie(cookie.split(';')[0]).send('GET', '/api/state')).status).toBe(200);
  for (const host of ['evil.test', `0.0.0.0:${client.port}`])
    expect((await bare.send('GET', '/healthz', undefined, { headers: { host } })).status).toBe(421);
  const statuses = new Set<number>();
  for (let guess = 0; guess < 12; guess += 1) statuses.add((await signing(`guess number ${guess}`)).status);
  expect([...statuses]).toEqual([401, 429]);
  expect((await signing('correct horse battery')).status).toBe(429);
  expect((await client.send('GET', '/api/state')).status).toBe(200);
});

test('a port in use is named with the way out; without a password there is none to guess', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const journey = await createWebJourney([]);
  const end = await journey.run(['serve', '--port', String(port)]);
  expect([end.code, end.stdout]).toEqual([1, '']);
  expect(end.stderr).toMatch(new RegExp(`Port ${port} at 127\\.0\\.0\\.1 is in use.*--port 0`, 's'));
  for (const wrong of ['70000', 'x', '-1']) expect((await journey.run(['serve', '--port', wrong])).code).toBe(2);
  const { client } = await journey.serve();
  expect((await client.withCookie(undefined).send('POST', '/api/session', { password: '' })).status).toBe(401);
});

test('of a session only a hash is kept, for its owner alone; a proxy may have a name', async () => {
  const journey = await createWebJourney([]);
  const { client } = await journey.serve(['--port', '0', '--name', 'hand.example.org']);
  const file = path.join(journey.stateFolder, 'web-sessions.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(journey.read(file)).not.toContain(client.cookie?.split('=')[1] ?? 'no cookie');
  const named = { headers: { host: 'hand.example.org', origin: 'https://hand.example.org' } };
  expect((await client.send('POST', '/api/conversations', {}, named)).status).toBe(201);
  const mixed = { headers: { host: 'hand.example.org', origin: `http://127.0.0.1:${client.port}` } };
  expect((await client.send('POST', '/api/conversations', {}, mixed)).status).toBe(403);
  const damaged = await createWebJourney([]);
  mkdirSync(damaged.stateFolder, { mode: 0o700 });
  writeFileSync(path.join(damaged.stateFolder, 'web-sessions.json'), '{"sessions":[{"hash":""}]}');
  const other = await damaged.serve();
  expect((await other.client.send('GET', '/api/state')).status).toBe(200);
  expect(
    (await createWebClient(other.client.url, `handrail_${other.client.port}=`).send('GET', '/api/state')).status,
  ).toBe(401);
});

test('on a terminal Enter gives another link, and Ctrl-C ends the server', async () => {
  const journey = await createWebJourney([]);
  const program = journey.start(['serve', '--port', '0'], { onTerminal: true });
  const links = () => program.stdout().match(/http:\S+\/link\/\S+(?=\n)/g) ?? [];
  await expect.poll(links, { timeout: 20_000 }).toHaveLength(1);
  program.type('\n');
  await expect.poll(links, { timeout: 20_000 }).toHaveLength(2);
  for (const link of links()) expect((await (await signIn(link)).send('GET', '/api/state')).status).toBe(200);
  program.type('\u0003');
  expect((await program.ended).code).toBe(0);
});

test('started where no workspace can be, each conversation gets a folder of its own, or the one that it names', async () => {
  const journey = await createWebJourney([]);
  const program = journey.start(['serve', '--port', '0'], { cwd: journey.home });
  onTestFinished(async () => {
    program.kill('SIGTERM');
    await program.ended;
  });
  await expect.poll(() => program.stdout(), { timeout: 20_000 }).toMatch(/\/link\/\S+\n/);
  const client = await signIn(/http:\S+\/link\/\S+/.exec(program.stdout())?.[0] ?? '');
  const state = await client.need<object>('GET', '/api/state');
  expect(state).not.toHaveProperty('workspace');
  const [one, two] = [await newConversation(client), await newConversation(client)];
  expect(path.dirname(one.workspace)).toBe(path.join(journey.stateFolder, 'workspaces'));
  expect(one.workspace).not.toBe(two.workspace);
  const run = (conversation: WebConversation) =>
    client.need<{ text: string }>(
      'POST',
      at(conversation, '/calls'),
      call('execute_shell_command', { command: 'pwd' }),
    );
  expect((await run(one)).text).toContain(one.workspace);
  const named = await client.need<WebConversation>('POST', '/api/conversations', { workspace: journey.workspace });
  expect((await run(named)).text).toContain(journey.workspace);
  for (const workspace of [journey.home, journey.stateFolder, '/', path.join(journey.root, 'none')])
    expect((await client.send('POST', '/api/conversations', { workspace })).body).toMatchObject({
      error: { code: 'misuse' },
    });
});

test('conversations are listed by pages, found, renamed, pinned, and removed only when nobody takes it back', async () => {
  const journey = await createWebJourney([]);
  const { client, program } = await journey.serve();
  const made: WebConversation[] = [];
  for (const title of ['Alpha report', 'Beta_report', 'Ünique 100%'])
    made.push(await client.need<WebConversation>('POST', '/api/conversations', { title }));
  const [alpha, beta, third] = made as [WebConversation, WebConversation, WebConversation];
  const titles = async (query: string) =>
    (await client.need<WebConversationPage>('GET', `/api/conversations?${query}`)).conversations.map(
      ({ title }) => title,
    );
  await client.need('PATCH', at(alpha), { isPinned: true, title: 'Alpha, renamed' });
  expect(await titles('')).toEqual(['Alpha, renamed', 'Ünique 100%', 'Beta_report']);
  expect(await titles('search=BETA_')).toEqual(['Beta_report']);
  expect(await titles('search=%25')).toEqual(['Ünique 100%']);
  expect(await titles(`search=${encodeURIComponent(journey.workspace)}`)).toHaveLength(3);
  expect(await titles('search=%27%20or%201%3D1')).toEqual([]);
  expect(await client.need('GET', '/api/conversations?limit=2')).toMatchObject({ nextOffset: 2 });
  expect(await titles('limit=2&offset=2')).toEqual(['Beta_report']);
  for (const change of [{ title: '' }, { title: 'a\nb' }, { workspace: '/' }, { id: 'x' }])
    expect((await client.send('PATCH', at(beta), change)).status).toBe(400);
  const notices = await client.follow('/api/stream');
  const { undoUntil } = await client.need<WebRemoval>('DELETE', at(beta));
  expect(Date.parse(undoUntil)).toBeGreaterThan(Date.now());
  await notices.waitFor<WebNotice>(
    (notice) => notice.type === 'conversation-removed' && notice.conversationId === beta.id,
  );
  expect(await titles('')).toHaveLength(2);
  for (const more of ['', '/events', '/stream']) expect((await client.send('GET', at(beta, more))).status).toBe(404);
  expect(await client.need('POST', at(beta, '/restore'), {})).toMatchObject({ title: 'Beta_report' });
  expect((await client.send('POST', at(beta, '/restore'), {})).status).toBe(404);
  await client.need('DELETE', at(third));
  expect((await journey.run(['conversations', 'list', '--json'])).stdout).toContain(third.id);
  expect(await titles('')).toEqual(['Alpha, renamed', 'Beta_report']);
  // The end of the server does not wait, and does not forget it either.
  program.kill('SIGTERM');
  expect((await program.ended).code).toBe(0);
  const left = (await journey.run(['conversations', 'list', '--json'])).stdout;
  expect([left.includes(third.id), left.includes(beta.id)]).toEqual([false, true]);
});

test('events come by pages, whole ones without the pieces they are made of', async () => {
  const text = Array.from({ length: 40 }, (_, line) => `word ${line}`).join(' ');
  const journey = await createWebJourney([
    {
      text,
      chunkChars: 8,
      delayMs: 3,
      calls: [{ name: 'execute_shell_command', input: { command: 'echo one; sleep 0.3; echo two' } }],
    },
    { text: 'Done.' },
  ]);
  const { client } = await journey.serve();
  const conversation = await newConversation(client);
  const stream = await client.follow(at(conversation, '/stream'));
  await client.need('POST', at(conversation, '/turns'), { text: 'Go' });
  await stream.waitFor<JournalEvent>(({ type }) => type === 'turn-end');
  const page = (query: string) => client.need<WebEventPage>('GET', at(conversation, `/events?${query}`));
  const all = await page('limit=5000');
  const last = all.events.length;
  expect([all.firstSeq, all.reachesSeq, all.lastSeq]).toEqual([1, last, last]);
  const types = new Set(all.events.map(({ type }) => type));
  expect([types.has('text-delta'), types.has('tool-progress')]).toEqual([true, true]);
  const whole = await page('limit=5000&whole=1');
  expect(whole.events).toEqual(all.events.filter(({ type }) => type !== 'text-delta' && type !== 'tool-progress'));
  expect((await page(`before=${last}&limit=3`)).events.map(({ seq }) => seq)).toEqual([last - 3, last - 2, last - 1]);
  expect((await page(`before=${Number.MAX_SAFE_INTEGER}&limit=2`)).events.map(({ seq }) => seq)).toEqual([
    last - 1,
    last,
  ]);
  expect((await page('after=1&limit=2')).events.map(({ seq }) => seq)).toEqual([2, 3]);
  expect(await page(`after=${last}`)).toMatchObject({ events: [], firstSeq: 0, reachesSeq: 0, lastSeq: last });
  expect((await client.send('GET', at(conversation, '/events?limit=9999999'))).status).toBe(400);
});

test(
  '[A47] tools, grants, ledger, costs, jobs and findings are given as the terminal gives them',
  { timeout: 60_000 },
  async () => {
    const journey = await createWebJourney([]);
    const { client } = await journey.serve();
    const conversation = await newConversation(client);
    const run = (tool: string, input: object) =>
      client.need<{ ok: boolean; data?: { session_id?: string } }>(
        'POST',
        at(conversation, '/calls'),
        call(tool, input),
      );
    expect(await run('execute_shell_command', { command: 'echo hello; exit 3' })).toMatchObject({ ok: true });
    const hard = await run('read_file', { path: path.join(journey.stateFolder, 'handrail.sqlite') });
    expect(hard).toMatchObject({ ok: false, error: { code: 'denied' } });
    const ledger = await client.need<readonly object[]>('GET', '/api/ledger');
    expect(ledger).toMatchObject([{ tool: 'read_file', origin: 'user' }, { tool: 'execute_shell_command' }]);
    expect(await client.need('GET', '/api/ledger?denied=1')).toMatchObject([{ tool: 'read_file' }]);
    expect(
      await client.need('GET', `/api/ledger?conversation=${conversation.id}&tool=execute_shell_command`),
    ).toHaveLength(1);
    expect(await client.need('GET', '/api/costs?days=2')).toMatchObject({ lines: [] });
    expect(await client.need('GET', '/api/grants')).toEqual([]);
    expect((await client.send('DELETE', '/api/grants/none')).status).toBe(404);
    await run('execute_shell_command', { command: 'echo from the job; sleep 600', background: true });
    const [job] = await client.need<readonly { sessionId: string; conversation: string; state: string }[]>(
      'GET',
      '/api/jobs',
    );
    expect(job).toMatchObject({ conversation: conversation.id, state: 'running' });
    const of = `/api/jobs/${job?.conversation}/${job?.sessionId}`;
    await expect
      .poll(async () => (await client.need<{ lines: string[] }>('GET', `${of}/log`)).lines)
      .toEqual(['from the job']);
    expect(await client.need('POST', `${of}/kill`, {})).toMatchObject({ state: 'killed' });
    expect((await client.send('GET', '/api/jobs/none/none/log')).status).toBe(404);
    const other = await newConversation(client);
    expect((await client.send('GET', `/api/jobs/${other.id}/${job?.sessionId}/log`)).status).toBe(404);
    const tools = await client.need<readonly { name: string; isEnabled: boolean }[]>('GET', '/api/tools');
    expect(tools.find(({ name }) => name === 'write_file')).toMatchObject({ isEnabled: true });
    await client.need('PATCH', '/api/tools/write_file', { isOn: false });
    expect(journey.read(path.join(journey.stateFolder, 'settings.json'))).toContain('"tool_enabled_write_file": false');
    expect((await client.send('PATCH', '/api/tools/nothing', { isOn: false })).status).toBe(404);
    expect(await client.need('GET', '/api/doctor')).toContainEqual(expect.objectContaining({ area: 'sandbox' }));
  },
);
