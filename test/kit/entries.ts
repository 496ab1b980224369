/** Every way a call gets to a tool, each in the real program: what it does with one call under one approval. */
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import type { CallOutcome } from '../../src/contract/output.ts';
import type { ApproveMode } from '../../src/contract/permission.ts';
import { createHandrail } from '../../src/main.ts';
import { key, services } from './dialect-client.ts';
import { openMcpConnection, textOf } from './mcp-connection.ts';
import { startModelServer } from './model-server.ts';
import { programFile, type ProgramWorld } from './program.ts';
import { openTerminal } from './terminal.ts';
import { callTool } from './tool-call.ts';

export type EntryCall = {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly approve: ApproveMode;
};

/** Resolves with what the caller is told. */
export type Entry = (world: ProgramWorld, call: EntryCall) => Promise<string>;

/** A schedule and a helper of a model will go this way too: a turn of `startTurn` with `approve: 'none'` and nobody to ask. */
export const entries: Readonly<Record<string, Entry>> = {
  async run(world, { tool, input, approve }) {
    return (await callTool(world, tool, input, { flags: ['--approve', approve] })).outcome.text;
  },
  async ask(world, call) {
    const environment = await scripted(call);
    const end = await world.run(['ask', '--json', '--approve', call.approve, 'Go on.'], { env: environment });
    return end.events.flatMap((event) => (event.type === 'tool-end' ? [event.outcome.text] : [])).join();
  },
  async chat(world, call) {
    const environment = await scripted(call);
    const { workspace } = world;
    const command = `'${programFile}' chat --workspace '${workspace}' --conversation chat --approve ${call.approve}`;
    const env = { ...world.environment, ...environment, TERM: 'dumb' };
    const terminal = await openTerminal({ command, columns: 100, rows: 40, env });
    onTestFinished(() => terminal.close());
    await terminal.waitFor(/^>$/m);
    await terminal.press('Go on.', 'Enter');
    await terminal.waitFor(/That is all\./);
    await terminal.press('/quit', 'Enter');
    await terminal.waitFor('ended with 0');
    const events = await world.eventsKept('chat');
    return events.flatMap((event) => (event.type === 'tool-end' ? [event.outcome.text] : [])).join();
  },
  async mcp(world, { tool, input, approve }) {
    const env = { ...getDefaultEnvironment(), ...world.environment };
    const args = ['mcp', '--workspace', world.workspace, '--approve', approve];
    const connection = await openMcpConnection('2025-11-25', { command: { command: programFile, args, env } });
    try {
      const _meta = { approved: true, approve: 'all', origin: 'user', role: 'admin' };
      return textOf(await connection.client.callTool({ name: tool, arguments: input, _meta }));
    } finally {
      await connection.close();
    }
  },
  library: (world, call) => byLibrary(world, call, 'library'),
  'a call that is typed': (world, call) => byLibrary(world, call, 'user'),
};

async function byLibrary(world: ProgramWorld, call: EntryCall, origin: 'library' | 'user'): Promise<string> {
  const handrail = await createHandrail({ workspace: world.workspace, environment: world.environment });
  try {
    // Fields that a program without types may bring along count as little as those of a call.
    const forged = { approved: true, isTyped: true, granted: ['*'], role: 'admin' };
    const outcome: CallOutcome = await handrail.runTool({ ...forged, ...call, origin });
    return outcome.text;
  } finally {
    await handrail.close();
  }
}

/** A model that makes this one call, as the environment names it. */
async function scripted({ tool, input }: EntryCall): Promise<Readonly<Record<string, string>>> {
  const model = await startModelServer({
    dialect: 'openai-chat',
    turns: [{ calls: [{ name: tool, input }] }, { text: 'That is all.' }],
  });
  onTestFinished(() => model.close());
  const { model: name, baseUrlName, keyName } = services['openai-chat'];
  return { [baseUrlName]: model.url, [keyName]: key, HANDRAIL_MODEL: name };
}
