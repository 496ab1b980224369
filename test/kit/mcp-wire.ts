/** The MCP server's child process with its bare pipes, for what no well-behaved client sends. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { fixtureProgram } from './mcp-connection.ts';

export type WireMessage = {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
};

export type Wire = {
  readonly child: ChildProcessWithoutNullStreams;
  send(...messages: readonly (object | string | Buffer)[]): void;
  /** The first message that fits, past or to come; rejects when the stream ends without it. */
  receive(fits: (message: WireMessage) => boolean): Promise<WireMessage>;
  answerTo(id: string | number | null): Promise<WireMessage>;
  readonly received: readonly WireMessage[];
  stderr(): string;
  /** Ends stdin and resolves with the exit code, when all it said is in `stderr()`. More than once is fine. */
  end(): Promise<number | null>;
};

export function openWire(args: readonly string[] = []): Wire {
  const child = spawn(process.execPath, [fixtureProgram, ...args]);
  const received: WireMessage[] = [];
  const waiting: (() => void)[] = [];
  let isDone = false;
  let rest = '';
  let errors = '';
  const wake = () => {
    for (const each of waiting.splice(0)) each();
  };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    // Throws on anything but JSON: standard output carries the protocol only.
    received.push(...lines.map((line) => JSON.parse(line) as WireMessage));
    wake();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
    wake();
  });
  // The program may be gone before all was written; the test looks at how it went, not at our pipe.
  child.stdin.on('error', () => undefined);
  const exited = once(child, 'close').then(([code]) => {
    isDone = true;
    wake();
    return code as number | null;
  });

  async function receive(fits: (message: WireMessage) => boolean): Promise<WireMessage> {
    for (;;) {
      const found = received.find(fits);
      if (found) return found;
      if (isDone) throw new Error(`the server ended without that message; stderr: ${errors}`);
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  }

  return {
    child,
    received,
    receive,
    send(...messages) {
      for (const message of messages) {
        const isRaw = typeof message === 'string' || Buffer.isBuffer(message);
        child.stdin.write(isRaw ? message : `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      }
    },
    answerTo: (id) => receive((message) => message.id === id && message.method === undefined),
    stderr: () => errors,
    end() {
      child.stdin.end();
      return exited;
    },
  };
}

export const initialize = (capabilities: object = {}) => ({
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'wire', version: '1' } },
});

export const initialized = { method: 'notifications/initialized' };

/** A request of protocol 2026-07-28, which carries what `initialize` said before. */
export function modern(
  id: number,
  method: string,
  params: object,
  capabilities: object = { elicitation: { form: {} } },
) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return { id, method, params: { ...params, _meta } };
}
