/** `bin/handrail mcp` itself, with the official client: every tool that it lists is called on real files. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import {
  isAlive,
  openMcpConnection,
  revisions,
  textOf,
  type ConnectionOptions,
  type McpConnection,
  type Revision,
} from '../kit/mcp-connection.ts';

const program = fileURLToPath(new URL('../../bin/handrail', import.meta.url));

/** For each tool, arguments that must succeed in the workspace below. A tool without a line here fails the test. */
const workingInput: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  read_file: { path: 'a.txt' },
  write_file: { path: 'b.txt', content: 'new\n' },
  edit_file: { path: 'a.txt', oldString: 'needle', newString: 'thread' },
  glob: { pattern: '**/*.txt' },
  grep: { pattern: 'first' },
  find_files: { pattern: 'a.txt' },
  search_in_files: { query: 'first', path: '.' },
  filesystem: { action: 'list', path: '.' },
  get_local_time: {},
  find_tools: { query: 'files' },
  execute_shell_command: { command: 'echo from the sandbox' },
  manage_process: { action: 'list' },
  code_exec: { code: 'print(6 * 7)' },
  terminal: { action: 'list' },
  ssh_configure_host: { alias: 'box', hostname: 'box.example', user: 'me' },
  open_file: { path: 'a.txt', folder: 'workspace' },
};
/** Tools that need what is not there: they answer with a failure that says so. */
const refusingInput: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  read_artifact: { id: 'no-such' },
  ssh_exec: { command: 'true', host: 'no host' },
  // Nobody looks at a page, and this environment names no desktop.
  send_notification: { message: 'It works.' },
};

let folder: string;
let workspace: string;
const opened: McpConnection[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'handrail-mcp-'));
  workspace = await mkdtemp(path.join(folder, 'workspace-'));
  await writeFile(path.join(workspace, 'a.txt'), 'first line\nneedle\n');
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.close()));
  await rm(folder, { recursive: true, force: true });
});

async function connect(revision: Revision, options: ConnectionOptions = {}): Promise<McpConnection> {
  const env = { ...getDefaultEnvironment(), HANDRAIL_HOME: path.join(folder, 'state') };
  const args = ['mcp', '--workspace', workspace, ...(options.args ?? [])];
  const connection = await openMcpConnection(revision, { ...options, command: { command: program, args, env } });
  opened.push(connection);
  return connection;
}

describe.each(revisions)('handrail mcp for a client that speaks %s', (revision) => {
  test('lists every tool and each of them works', async () => {
    const { client } = await connect(revision);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(
      expect.arrayContaining(['read_file', 'write_file', 'grep', 'execute_shell_command']),
    );
    const problems: unknown[] = [];
    for (const { name, outputSchema } of tools) {
      const refused = refusingInput[name];
      const input = refused ?? workingInput[name] ?? { missing: name };
      const result = await client.callTool({ name, arguments: { ...input } });
      const isAsExpected = (result.isError ?? false) === (refused !== undefined);
      const lacksData = !result.isError && outputSchema !== undefined && result.structuredContent === undefined;
      if (!isAsExpected || lacksData) problems.push({ name, lacksData, text: textOf(result) });
    }
    expect(problems).toEqual([]);
    expect(await readFile(path.join(workspace, 'a.txt'), 'utf8')).toBe('first line\nthread\n');
    expect(await readFile(path.join(workspace, 'b.txt'), 'utf8')).toBe('new\n');
  });

  test('fifty calls at once are all answered from one conversation', async () => {
    const { client } = await connect(revision);
    const calls = Array.from({ length: 50 }, () =>
      client.callTool({ name: 'read_file', arguments: { path: 'a.txt' } }),
    );
    const results = await Promise.all(calls);
    expect(results.filter((result) => result.isError).map(textOf)).toEqual([]);
  });

  test('a file outside the workspace is written only after a yes in the form', async () => {
    const target = path.join(folder, 'outside.txt');
    const given = { path: target, content: 'x\n' };
    const silent = await connect(revision);
    const forged = await silent.client.callTool({ name: 'write_file', arguments: { ...given, approved: true } });
    expect(textOf(forged)).toMatch(/^Error \(invalid_input\)/u);
    expect(textOf(await silent.client.callTool({ name: 'write_file', arguments: given }))).toMatch(
      /denied.*cannot show questions/su,
    );
    await silent.close();
    const asked = await connect(revision, { onForm: () => ({ action: 'accept', content: { answer: 'allow once' } }) });
    const result = await asked.client.callTool({ name: 'write_file', arguments: given });
    expect([result.isError ?? false, textOf(result)]).toEqual([false, expect.stringContaining(target)]);
    expect(asked.forms[0]?.message).toContain(target);
    expect(await readFile(target, 'utf8')).toBe('x\n');
  });

  test('a client that leaves in the middle of a command leaves no process behind', async () => {
    const { client, close, pid } = await connect(revision);
    // The figure makes the command findable among the processes of the whole machine.
    const marker = `sleep 8${process.pid}${revision === '2025-11-25' ? 1 : 2}`;
    const call = client.callTool({ name: 'execute_shell_command', arguments: { command: marker } }).catch(() => 'gone');
    await expect.poll(() => processesWith(marker), { timeout: 20_000 }).not.toEqual([]);
    await close();
    expect(await call).toBe('gone');
    expect(isAlive(pid)).toBe(false);
    await expect.poll(() => processesWith(marker), { timeout: 5_000 }).toEqual([]);
  });
});

async function processesWith(words: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name));
  const lines = await Promise.all(
    pids.map(async (pid) => {
      try {
        return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
      } catch {
        // It ended between the two reads.
        return '';
      }
    }),
  );
  return lines.filter((line) => line === words);
}
