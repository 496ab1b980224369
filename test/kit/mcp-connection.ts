/** A real MCP client over a real child process, and what the child said on stderr. */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  Client,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type ElicitResult,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Note } from '../fixtures/mcp-handrail.ts';

export type Revision = '2025-11-25' | '2026-07-28';
export const revisions: readonly Revision[] = ['2025-11-25', '2026-07-28'];

export type McpConnection = {
  readonly client: Client;
  readonly revision: Revision;
  readonly pid: number;
  readonly notes: readonly Note[];
  /** Resolves with the first note of that kind, past or to come. */
  noted(what: string): Promise<Note>;
  /** The forms the client was shown. */
  readonly forms: readonly ElicitRequestFormParams[];
  /** Resolves when the child has ended and all it said is in `notes`. More than once is fine. */
  close(): Promise<void>;
};

export type ConnectionOptions = {
  readonly args?: readonly string[];
  /** Omitted: a client that cannot show forms. */
  readonly onForm?: (form: ElicitRequestFormParams) => ElicitResult | Promise<ElicitResult>;
  /** In place of what `onForm` implies. */
  readonly capabilities?: ClientCapabilities;
  /** In place of the fixture. */
  readonly command?: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env?: Record<string, string>;
  };
};

export const fixtureProgram = fileURLToPath(new URL('../fixtures/mcp-stdio-server.ts', import.meta.url));

export async function openMcpConnection(revision: Revision, options: ConnectionOptions = {}): Promise<McpConnection> {
  const { onForm } = options;
  const notes: Note[] = [];
  const forms: ElicitRequestFormParams[] = [];
  const listeners = new Set<(note: Note) => void>();
  const program = options.command ?? { command: process.execPath, args: [fixtureProgram, ...(options.args ?? [])] };
  const { command, args, env } = program;
  const transport = new StdioClientTransport({ command, args: [...args], stderr: 'pipe', ...(env && { env }) });
  let rest = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const note = line.startsWith('{') ? (JSON.parse(line) as Note) : { what: 'stderr', line };
      notes.push(note);
      for (const listener of listeners) listener(note);
    }
  });
  const client = new Client(
    { name: 'journey', version: '1' },
    {
      capabilities: options.capabilities ?? (onForm ? { elicitation: { form: {} } } : {}),
      versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } },
    },
  );
  if (onForm) {
    client.setRequestHandler('elicitation/create', async (request) => {
      const form = request.params as ElicitRequestFormParams;
      forms.push(form);
      return onForm(form);
    });
  }
  await client.connect(transport);
  const stderrEnded = transport.stderr === null ? undefined : once(transport.stderr, 'end');
  return {
    client,
    revision,
    pid: transport.pid ?? 0,
    notes,
    forms,
    noted(what) {
      const past = notes.find((note) => note.what === what);
      if (past) return Promise.resolve(past);
      return new Promise((resolve) => {
        const listener = (note: Note) => {
          if (note.what !== what) return;
          listeners.delete(listener);
          resolve(note);
        };
        listeners.add(listener);
      });
    },
    async close() {
      await client.close();
      await stderrEnded;
    },
  };
}

export function textOf(result: { readonly content: readonly unknown[] }): string {
  const part = result.content[0] as { readonly text?: string } | undefined;
  return part?.text ?? '';
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // ESRCH: it is gone, which is what the caller asks.
    return false;
  }
}
