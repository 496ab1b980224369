/** Settings that change while the server runs: by a page, by a command, by an editor, by nobody's yes; without a browser. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { JournalEvent } from '../../src/contract/event.ts';
import type { CallOutcome } from '../../src/contract/output.ts';
import type { WebConversation, WebNotice, WebState } from '../../src/contract/web-api.ts';
import type { WebSettings } from '../../src/contract/web-settings.ts';
import { expectAccepted } from '../kit/turn-journey.ts';
import type { WebClient } from '../kit/web-client.ts';
import { createWebJourney, newConversation, startWebServer, type WebJourney } from '../kit/web-world.ts';

const shell = (command: string) => ({ name: 'execute_shell_command', input: { command } });
const settingsOf = (client: WebClient) => client.need<WebSettings>('GET', '/api/settings');
const stateOf = (client: WebClient) => client.need<WebState>('GET', '/api/state');
const fileOf = ({ stateFolder }: Pick<WebJourney, 'stateFolder'>) => path.join(stateFolder, 'settings.json');

async function patch(client: WebClient, keys: Readonly<Record<string, unknown>>): Promise<WebSettings> {
  const { hash } = await settingsOf(client);
  const edits = Object.entries(keys).map(([key, value]) => ({ path: key.split('.'), value }));
  return client.need('PATCH', '/api/settings', { edits, hash });
}

/** Says something and waits for the end of the turn. */
async function say(client: WebClient, { id }: WebConversation, text: string): Promise<void> {
  const stream = await client.follow(`/api/conversations/${id}/stream`);
  const { turnId } = await client.need<{ turnId: string }>('POST', `/api/conversations/${id}/turns`, { text });
  await stream.waitFor<JournalEvent>((event: JournalEvent) => event.type === 'turn-end' && event.turnId === turnId);
  stream.close();
}

const type = (client: WebClient, { id }: WebConversation, tool: string, input: object): Promise<CallOutcome> =>
  client.need('POST', `/api/conversations/${id}/calls`, { tool, input });

const toolsSent = (journey: WebJourney, at: number): readonly string[] =>
  (journey.server.requests[at]?.body['tools'] as { name: string }[]).map(({ name }) => name);

test('[K78] [K79] toggles change what the next request carries, in one process, and the shell goes on as it was', async () => {
  const journey = await createWebJourney((_body, at) =>
    at === 0 ? { calls: [shell('cd /tmp; f() { echo hands; }; export A=1')] } : { text: `Answer ${at}.` },
  );
  const { client } = await journey.serve();
  const conversation = await newConversation(client);
  await say(client, conversation, 'one');
  await client.need('PATCH', '/api/tools/glob', { isOn: false });
  await say(client, conversation, 'two');
  expect([toolsSent(journey, 1), toolsSent(journey, 2)].map((names) => names.includes('glob'))).toEqual([true, false]);
  expect(await settingsOf(client)).toMatchObject({ written: { tool_enabled_glob: false } });

  // Another process, as its user types it.
  expect((await journey.run(['tools', 'enable', 'glob'])).code).toBe(0);
  await say(client, conversation, 'three');
  expect(toolsSent(journey, 3)).toContain('glob');

  // The whole family: nothing names it any more, and a call of it is refused.
  await patch(client, { 'features.sandbox': false });
  await say(client, conversation, 'four');
  expect(JSON.stringify(toolsSent(journey, 4))).not.toContain('execute_shell_command');
  const refused = await type(client, conversation, 'execute_shell_command', { command: 'true' });
  expect(refused).toMatchObject({ ok: false });
  await patch(client, { 'features.sandbox': null });
  const kept = await type(client, conversation, 'execute_shell_command', { command: 'f; pwd; echo $A' });
  expect(kept).toMatchObject({ ok: true, data: { stdout: 'hands\n/tmp\n1\n' } });
  expectAccepted(journey);
});

test('a settings.json that is edited by hand holds for the next turn; a broken one changes nothing and is told', async () => {
  const journey = await createWebJourney(() => ({ text: 'Yes.' }));
  const { client } = await journey.serve();
  const conversation = await newConversation(client);
  const page = await client.follow('/api/stream');
  await page.waitFor<WebNotice>(({ type: kind }) => kind === 'snapshot');
  const isTold = () => page.waitFor<WebNotice>(({ type: kind }) => kind === 'settings');
  const byHand = '{\n\t"tool_enabled_grep":  false, "limits": {"rounds": 7}\n}\n';
  writeFileSync(fileOf(journey), byHand);
  await say(client, conversation, 'one');
  expect(toolsSent(journey, 0)).not.toContain('grep');
  expect((await stateOf(client)).settings.limits.rounds).toBe(7);
  await isTold();

  writeFileSync(fileOf(journey), '{ "limits": { "rounds": 9, }, }');
  const broken = await stateOf(client);
  expect(broken.settingsProblem).toMatch(/settings\.json, line 1, column 2\d: .*Nothing was changed\./);
  expect(broken.settings.limits.rounds).toBe(7);
  await say(client, conversation, 'two');
  expect(toolsSent(journey, 1)).not.toContain('grep');
  const shown = await settingsOf(client);
  expect(shown).toMatchObject({ problem: broken.settingsProblem, written: {}, inForce: { limits: { rounds: 7 } } });
  const edits = [{ path: ['limits', 'rounds'], value: 3 }];
  expect((await client.send('PATCH', '/api/settings', { edits, hash: shown.hash })).status).toBe(503);
  expect(readFileSync(fileOf(journey), 'utf8')).toBe('{ "limits": { "rounds": 9, }, }');

  writeFileSync(fileOf(journey), byHand);
  const mended = await patch(client, { 'limits.rounds': 8 });
  expect(mended).not.toHaveProperty('problem');
  expect(readFileSync(fileOf(journey), 'utf8')).toBe(byHand.replace('7', '8'));
  expect(await stateOf(client)).not.toHaveProperty('settingsProblem');
});

test('an edit that meets another is refused, and so is what settings cannot hold; the file stays as it is', async () => {
  const journey = await createWebJourney([]);
  journey.writeSettings({ limits: { rounds: 4 } });
  const { client } = await journey.serve();
  const { hash } = await settingsOf(client);
  const before = JSON.stringify({ limits: { rounds: 5 } });
  writeFileSync(fileOf(journey), before);
  const send = async (key: string, value: unknown, shown = hash) => {
    const body = { edits: [{ path: key.split('.'), value }], hash: shown };
    const { status, body: given } = await client.send('PATCH', '/api/settings', body);
    return { status, ...(given as { error: { code: string; message: string } }).error };
  };
  expect(await send('limits.rounds', 6)).toMatchObject({ status: 409, code: 'conflict' });
  const now = (await settingsOf(client)).hash;
  const refusals: readonly [string, unknown, RegExp][] = [
    ['limits.rounds', 0, /^"limits\.rounds" must be at least 1/],
    ['limits.round', 3, /did you mean "limits\.rounds"/],
    ['models', [{ service: 'a', dialect: 'openai-chat', apiKey: 'sk-secret' }], /handrail secrets set NAME/],
    ['permissions.deny', ['bash(rm'], /is no permission rule/],
    ['permissions.deny', ['read_fiel'], /Did you mean read_file/],
    ['tool_enabled_glob', 'no', /must be true or false/],
  ];
  for (const [key, value, words] of refusals) {
    const refused = await send(key, value, now);
    expect([key, refused.status, refused.code]).toEqual([key, 422, 'misuse']);
    expect(refused.message).toMatch(words);
    expect(refused.message).not.toContain('sk-secret');
  }
  expect(readFileSync(fileOf(journey), 'utf8')).toBe(before);
});

test('[A30] what weakens the rail waits for a yes, which is bound to what was shown', async () => {
  const journey = await createWebJourney([]);
  const { client } = await journey.serve();
  const conversation = await newConversation(client);
  // The first command makes what is in force the user's own.
  await type(client, conversation, 'execute_shell_command', { command: 'cd /tmp; export A=1' });
  await patch(client, { 'sandbox.rung': 'host', 'limits.rounds': 9 });
  const waiting = await stateOf(client);
  expect(waiting.pendingConfirmations).toEqual([expect.stringContaining('"host"')]);
  expect([waiting.settings.sandbox.rung, waiting.settings.limits.rounds]).toEqual(['namespaces', 9]);
  const inside = await type(client, conversation, 'execute_shell_command', { command: 'echo $A; ls -d /root' });
  expect(inside.text).toContain('not in force');

  await patch(client, { 'permissions.allow': ['read_file(/etc/**)'] });
  const confirm = (hash: string) => client.send('POST', '/api/confirmations', { hash });
  expect((await confirm(waiting.confirmationHash)).status).toBe(409);
  expect((await stateOf(client)).settings.sandbox.rung).toBe('namespaces');
  expect((await client.withCookie(undefined).send('POST', '/api/confirmations', { hash: 'x' })).status).toBe(401);

  const both = await stateOf(client);
  expect(both.pendingConfirmations).toHaveLength(2);
  expect((await confirm(both.confirmationHash)).status).toBe(200);
  const confirmed = await stateOf(client);
  expect([confirmed.pendingConfirmations, confirmed.settings.sandbox.rung]).toEqual([[], 'host']);
  // The shell of the sandbox is closed; the one outside begins where its own state says.
  await patch(client, { tool_enabled_execute_shell_command: true });
  const { confirmationHash } = await stateOf(client);
  expect((await confirm(confirmationHash)).status).toBe(200);
  const outside = await type(client, conversation, 'execute_shell_command', { command: 'ls -d /proc/1/root' });
  expect(outside).toMatchObject({ ok: true });
});

test('[A30] a yes to what was shown is none to what an editor has written since', async () => {
  const { client, stateFolder } = await startWebServer();
  const conversation = await newConversation(client);
  await type(client, conversation, 'execute_shell_command', { command: 'true' });
  const write = (settings: object) => writeFileSync(path.join(stateFolder, 'settings.json'), JSON.stringify(settings));
  write({ permissions: { allow: ['read_file(/etc/hosts)'] } });
  const shown = await stateOf(client);
  write({ permissions: { allow: ['read_file(/**)'] } });
  expect((await client.send('POST', '/api/confirmations', { hash: shown.confirmationHash })).status).toBe(409);
  expect((await settingsOf(client)).inForce.permissions.allow).toEqual([]);
  const now = await stateOf(client);
  expect((await client.send('POST', '/api/confirmations', { hash: now.confirmationHash })).status).toBe(200);
  expect((await settingsOf(client)).inForce.permissions.allow).toEqual(['read_file(/**)']);
});

test('hands of other settings begin where a conversation was, and the older ones end when their work has ended', async () => {
  const { client, stateFolder } = await startWebServer();
  const [busy, other] = [await newConversation(client), await newConversation(client)];
  const run = (conversation: WebConversation, command: string) =>
    type(client, conversation, 'execute_shell_command', { command });
  await run(other, 'cd /tmp; export A=1; f() { :; }');
  const waits = run(busy, 'echo up > up; while [ ! -e go ]; do sleep 0.05; done; cd /usr; echo $PPID');
  await expect.poll(() => existsSync(path.join(busy.workspace, 'up')), { timeout: 20_000 }).toBe(true);
  writeFileSync(path.join(stateFolder, 'settings.json'), '{"sandbox": {"network": {"mode": "off"}}}');
  const moved = await run(other, 'pwd; echo $A; type f');
  expect(moved.data).toMatchObject({ stdout: '/tmp\n1\n' });
  expect(moved.text).toContain('Lost: the function f');
  // The one that works goes on where it works.
  writeFileSync(path.join(busy.workspace, 'go'), '');
  expect(await waits).toMatchObject({ ok: true });
  expect(await run(busy, 'pwd')).toMatchObject({ data: { stdout: '/usr\n' } });
});
