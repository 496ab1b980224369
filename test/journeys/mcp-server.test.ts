/** `handrail mcp` as another agent meets it: the official client over a real child process, in both protocol generations. */
import { afterEach, describe, expect, test } from 'vitest';
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client';
import {
  isAlive,
  openMcpConnection,
  revisions,
  textOf,
  type ConnectionOptions,
  type McpConnection,
  type Revision,
} from '../kit/mcp-connection.ts';

const opened: McpConnection[] = [];

afterEach(async () => {
  const pids = opened.map((connection) => connection.pid);
  await Promise.all(opened.splice(0).map((connection) => connection.close()));
  const alive = pids.filter(isAlive);
  if (alive.length > 0) throw new Error(`servers outlived their clients: ${alive.join(', ')}`);
});

async function connect(revision: Revision, options: ConnectionOptions = {}): Promise<McpConnection> {
  const connection = await openMcpConnection(revision, options);
  opened.push(connection);
  return connection;
}

const say =
  (answer: string) =>
  (_form: ElicitRequestFormParams): ElicitResult => ({ action: 'accept', content: { answer } });

describe.each(revisions)('an MCP client that speaks %s', (revision) => {
  test('lists every tool that is on, with its schemas and hints, and no tool that is off', async () => {
    const { client } = await connect(revision);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).not.toContain('turned_off');
    expect(tools.find((tool) => tool.name === 'say')).toMatchObject({
      title: 'Title of say',
      description: 'Description of say',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      outputSchema: { type: 'object', required: ['said'] },
      annotations: {
        title: 'Title of say',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    });
    expect(tools.find((tool) => tool.name === 'plain_data')?.annotations).toMatchObject({
      readOnlyHint: false,
      idempotentHint: true,
      openWorldHint: true,
    });
    expect(client.getInstructions()).toContain('/the/workspace');
    expect(client.getInstructions()).toContain('namespaces');
  });

  test('calls a tool by name and by alias, and gets text, data and what was cut', async () => {
    const { client, notes, close } = await connect(revision);
    await client.listTools();
    for (const name of ['say', 'echo']) {
      const result = await client.callTool({ name, arguments: { text: 'grüß dich' } });
      expect(result.isError ?? false).toBe(false);
      expect(textOf(result)).toBe('grüß dich');
      expect(result.structuredContent).toEqual({ said: 'grüß dich' });
      expect(result._meta).toMatchObject({ truncated: true, artifact: { id: 'a1' } });
    }
    await close();
    const calls = notes.filter((note) => note.what === 'called');
    expect(calls.map((call) => call['origin'])).toEqual(['mcp', 'mcp']);
    expect(new Set(calls.map((call) => call['conversationId'])).size).toBe(1);
  });

  test('gets an error result for a tool that is off, and a protocol error for one that does not exist', async () => {
    const { client } = await connect(revision);
    const off = await client.callTool({ name: 'turned_off' });
    expect(off.isError).toBe(true);
    expect(textOf(off)).toMatch(/^Error \(denied\): turned_off is not available/u);
    expect(off._meta).toMatchObject({ code: 'denied' });
    await expect(client.callTool({ name: 'rm_rf' })).rejects.toThrow(/no tool named "rm_rf".*say/u);
  });

  test('gets data only when it keeps the promise of the output schema', async () => {
    const { client, noted } = await connect(revision);
    expect((await client.callTool({ name: 'plain_data' })).structuredContent).toEqual({ anything: 1 });
    const broken = await client.callTool({ name: 'broken_data' });
    expect(broken.structuredContent).toBeUndefined();
    expect(textOf(broken)).toBe('x');
    expect(await noted('problem')).toMatchObject({ line: expect.stringContaining('broken_data') });
  });

  test('a failure outside the tool becomes an error result, and the server goes on', async () => {
    const { client } = await connect(revision);
    const failed = await client.callTool({ name: 'throw_it' });
    expect(failed.isError).toBe(true);
    expect(textOf(failed)).toBe('Error (failed): the disk is full');
    expect(textOf(await client.callTool({ name: 'say', arguments: { text: 'on' } }))).toBe('on');
  });

  test('[A08] allows once through the form, which shows the exact bytes, and asks again for the next call', async () => {
    const { client, forms, notes, close } = await connect(revision, { onForm: say('allow once') });
    const input = { path: '../note.txt', content: 'a\u0007b\u202ec' };
    expect(textOf(await client.callTool({ name: 'write_outside', arguments: input }))).toBe('written');
    expect(textOf(await client.callTool({ name: 'write_outside', arguments: input }))).toBe('written');
    expect(forms).toHaveLength(2);
    const { message, requestedSchema } = forms[0] as ElicitRequestFormParams;
    for (const part of [
      'write_outside',
      'write ../note.txt',
      'outside the workspace',
      '/elsewhere/note.txt',
      '\\u0007',
      '\\u202e',
      '+new\\u202eline',
    ]) {
      expect(message).toContain(part);
    }
    expect(requestedSchema.properties['answer']).toMatchObject({
      enum: ['allow once', 'allow for this connection', 'deny'],
    });
    await close();
    const answers = notes.filter((note) => note.what === 'answered');
    expect(answers.map((note) => note['origin'])).toEqual(['mcp-elicitation', 'mcp-elicitation']);
  });

  test('[A08] allowing for the connection is asked once on it, and again on another connection', async () => {
    const first = await connect(revision, { onForm: say('allow for this connection') });
    const second = await connect(revision, { onForm: say('deny') });
    for (let call = 0; call < 3; call += 1) {
      expect((await first.client.callTool({ name: 'write_outside' })).isError ?? false).toBe(false);
    }
    expect(first.forms).toHaveLength(1);
    expect(textOf(await second.client.callTool({ name: 'write_outside' }))).toMatch(
      /the person at the MCP client said no/u,
    );
    expect(second.forms).toHaveLength(1);
  });

  test.each([
    ['a decline', { action: 'decline' }],
    ['a cancel', { action: 'cancel' }],
    ['an answer that was not offered', { action: 'accept', content: { answer: 'allow always' } }],
    ['an answer with approval fields', { action: 'accept', content: { approved: true, verdict: 'allow' } }],
    ['an acceptance without content', { action: 'accept' }],
  ] satisfies [string, ElicitResult][])('[A08] %s is a no', async (_name, answer) => {
    const { client } = await connect(revision, { onForm: () => answer });
    const result = await client.callTool({ name: 'write_outside', arguments: { approved: true } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^Error \(denied\): Not done: /u);
  });

  test('a command outside the sandbox is refused with the reason, and the person is not even asked', async () => {
    const { client, forms } = await connect(revision, { onForm: say('allow once') });
    const result = await client.callTool({ name: 'host_command' });
    expect(textOf(result)).toMatch(/^Error \(denied\): .*outside the sandbox/u);
    expect(forms).toEqual([]);
  });

  test('a client that cannot show forms gets the reason, and its own message fields approve nothing', async () => {
    const { client } = await connect(revision, { capabilities: { elicitation: { url: {} } } });
    const result = await client.callTool({
      name: 'write_outside',
      arguments: { approved: true },
      _meta: { approved: true },
    });
    expect(textOf(result)).toMatch(/^Error \(denied\): .*cannot show questions/u);
  });

  test('several questions of one call are all asked, and one no is enough to stop it', async () => {
    let asked = 0;
    const { client, forms } = await connect(revision, {
      onForm: () => ({ action: 'accept', content: { answer: (asked += 1) < 3 ? 'allow once' : 'deny' } }),
    });
    const result = await client.callTool({ name: 'ask_thrice' });
    expect(forms).toHaveLength(3);
    expect(textOf(result)).toMatch(/said no/u);
  });

  test('--approve all asks nothing, --approve none allows nothing', async () => {
    const all = await connect(revision, { args: ['--approve', 'all'], onForm: say('deny') });
    expect(textOf(await all.client.callTool({ name: 'write_outside' }))).toBe('written');
    const none = await connect(revision, { args: ['--approve', 'none'], onForm: say('allow once') });
    expect(textOf(await none.client.callTool({ name: 'write_outside' }))).toMatch(/denied/u);
    expect([...all.forms, ...none.forms]).toEqual([]);
  });

  test('--tools offers the named tools only, aliases included', async () => {
    const { client } = await connect(revision, { args: ['--tools', 'echo,plain_data'] });
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['say', 'plain_data']);
    await expect(client.callTool({ name: 'write_outside' })).rejects.toThrow(/no tool named/u);
  });

  test('progress reaches the client that asked for it, counted upwards', async () => {
    const { client } = await connect(revision);
    const seen: { progress: number; message?: string | undefined }[] = [];
    const result = await client.callTool(
      { name: 'count', arguments: { to: 5_000 } },
      { onprogress: (progress) => seen.push(progress) },
    );
    expect(textOf(result)).toBe('counted');
    expect(seen[0]?.message).toBe('line 1');
    expect(seen.map((each) => each.progress)).toEqual(seen.map((_each, at) => at + 1));
    expect(seen.length).toBeLessThan(100);
  });

  test('cancelling a call aborts the tool with the reason, and the server goes on', async () => {
    const { client, noted } = await connect(revision);
    const control = new AbortController();
    const call = client.callTool({ name: 'wait' }, { signal: control.signal });
    await noted('waiting');
    control.abort();
    await expect(call).rejects.toThrow(/abort/u);
    expect(await noted('aborted')).toMatchObject({ reason: 'The MCP client cancelled the call.' });
    expect(textOf(await client.callTool({ name: 'say', arguments: { text: 'on' } }))).toBe('on');
  });

  test('fifty calls run at the same time, and stderr stays silent', async () => {
    const { client, notes, close } = await connect(revision);
    const calls = Array.from({ length: 50 }, () => client.callTool({ name: 'together', arguments: { many: 50 } }));
    expect((await Promise.all(calls)).map(textOf)).toEqual(Array.from({ length: 50 }, () => 'together'));
    await close();
    expect(notes.filter((note) => note.what !== 'called')).toEqual([{ what: 'ended' }]);
  });

  test('a client that leaves in the middle of a call ends the call and the program', async () => {
    const connection = await openMcpConnection(revision);
    const call = connection.client.callTool({ name: 'wait' }).catch(() => 'gone');
    await connection.noted('waiting');
    await connection.close();
    expect(await call).toBe('gone');
    expect(connection.notes.map((note) => note.what)).toEqual(['called', 'waiting', 'aborted', 'ended']);
    expect(await connection.noted('aborted')).toMatchObject({ reason: 'The MCP client has gone.' });
    expect(isAlive(connection.pid)).toBe(false);
  });

  test('a question that stays open too long is a no', async () => {
    const never = new Promise<ElicitResult>(() => undefined);
    const { client, noted } = await connect(revision, { args: ['--answer-timeout-ms', '150'], onForm: () => never });
    void client.callTool({ name: 'write_outside' }).catch(() => undefined);
    expect(await noted('answered')).toMatchObject({
      answer: { verdict: 'deny', reason: expect.stringMatching(/answer/u) },
    });
  });
});
