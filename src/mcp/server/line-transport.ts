/** The wire of `handrail mcp`: one JSON-RPC message per line on two streams, kept alive through whatever a client sends. */
import { isUtf8 } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';
import { createLineReader, type Line } from './line-reader.ts';

export type LineTransportOptions = {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Throws when the value is no JSON-RPC message. */
  readonly parse: (value: unknown) => JSONRPCMessage;
  /** A longer line is passed over and answered with an error; the connection goes on. */
  readonly maxLineBytes: number;
  /** How long requests that were read before the end of stdin may still be answered. */
  readonly graceMs: number;
  /** The client has gone, or `close` was called. Once, before the protocol hears of it. */
  readonly onGone: () => void;
};

// JSON-RPC 2.0, section 5.1.
const parseError = -32_700;
const invalidRequest = -32_600;

/**
 * In place of the SDK's own transport, which ends the connection at a line over its limit, passes over a broken line without a
 * word, and forgets the requests in flight the moment stdin ends, so that `printf … | handrail mcp` would get no answer.
 */
export function createLineTransport(options: LineTransportOptions): Transport {
  const { stdin, stdout } = options;
  const reader = createLineReader(options.maxLineBytes);
  const unanswered = new Set<RequestId>();
  let isClosed = false;
  let isEnded = false;
  let grace: NodeJS.Timeout | undefined;

  const transport: Transport = {
    start() {
      stdin.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onInputError);
      // Stays for good: a write that fails after the close must not end the program with an unhandled error.
      stdout.on('error', onOutputError);
      if (stdin.readableEnded || stdin.destroyed) setImmediate(onEnd);
      return Promise.resolve();
    },
    async send(message) {
      if (isClosed) throw new Error('the MCP client has gone');
      await write(JSON.stringify(message));
      if (!('method' in message) && message.id !== undefined) settle(message.id);
    },
    close() {
      if (isClosed) return Promise.resolve();
      isClosed = true;
      clearTimeout(grace);
      stdin.off('data', onData).off('end', onEnd).off('close', onEnd).pause();
      options.onGone();
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;

  function onData(chunk: Buffer): void {
    for (const line of reader.push(chunk)) receive(line);
  }

  function onEnd(): void {
    if (isEnded || isClosed) return;
    for (const line of reader.end()) receive(line);
    isEnded = true;
    if (unanswered.size === 0) void transport.close();
    else grace = setTimeout(() => void transport.close(), options.graceMs);
  }

  function onInputError(error: Error): void {
    report(`stdin failed: ${error.message}`);
    onEnd();
  }

  function onOutputError(error: Error): void {
    if (isClosed) return;
    report(`stdout failed: ${error.message}`);
    void transport.close();
  }

  function receive(line: Line): void {
    if (isClosed) return;
    if (line.kind === 'too-long') {
      const text = `a message of ${line.totalBytes} bytes is over the limit of ${options.maxLineBytes}`;
      return refuse(line.id ?? null, invalidRequest, `${text}; send less at a time`);
    }
    const text = line.bytes.toString('utf8');
    if (text.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return refuse(null, parseError, `a line is not JSON: ${messageOf(error)}`);
    }
    // Read loosely, broken bytes would become U+FFFD and be written into somebody's file.
    if (!isUtf8(line.bytes)) return refuse(idOf(value), parseError, 'a message is not valid UTF-8');
    deliver(value);
  }

  function deliver(value: unknown): void {
    let message: JSONRPCMessage;
    try {
      message = options.parse(value);
    } catch {
      // The validator's own words are a page of JSON and help nobody.
      const what = Array.isArray(value)
        ? 'a batch, which MCP does not have; send its messages one by one'
        : 'no JSON-RPC 2.0 message';
      if (isAnswer(value)) return report('an answer that is no JSON-RPC 2.0 message was passed over');
      return refuse(idOf(value), invalidRequest, `a line is ${what}`);
    }
    if ('method' in message && 'id' in message) unanswered.add(message.id);
    transport.onmessage?.(message);
    // A cancelled request gets no answer (MCP, Cancellation), so nothing is to be waited for.
    if ('method' in message && message.method === 'notifications/cancelled')
      settle(message.params?.['requestId'] as RequestId);
  }

  function settle(id: RequestId): void {
    unanswered.delete(id);
    if (isEnded && unanswered.size === 0) void transport.close();
  }

  /** `id` null: the request it belongs to is not known (JSON-RPC 2.0, section 5). */
  function refuse(id: RequestId | null, code: number, message: string): void {
    report(message);
    const answer = JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
    write(answer).catch((error: unknown) => report(`an error could not be answered: ${messageOf(error)}`));
  }

  // No listener per message: hundreds of parallel answers on one pipe would trip the emitter's leak warning.
  function write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  function report(message: string): void {
    transport.onerror?.(new Error(message));
  }
}

function idOf(value: unknown): RequestId | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
}

function isAnswer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !('method' in value) && ('result' in value || 'error' in value);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
