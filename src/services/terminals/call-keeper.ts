/** Asks the keeper of a state folder's terminals, which is started where none runs. */
import { join } from 'node:path';
import type { CallScope } from '../../contract/services.ts';
import type { TerminalView } from '../../contract/terminals.ts';
import { createCompanion, type Line } from '../companion-process/call-companion.ts';
import { sendLine } from '../companion-process/json-lines.ts';
import type { TerminalKey } from './create-keeper.ts';
import {
  greeting,
  type HostAnswer,
  type HostQuestion,
  type KeeperRequest,
  protocolVersion,
  readQuestion,
  valueOf,
  type ViewMessage,
} from './keeper-protocol.ts';

export type KeeperCallerOptions = {
  /** Our own; the keeper's folder is made in it. */
  readonly runtimeFolder: string;
  /** terminal-keeper.process: a file for Node. */
  readonly programFile: string;
  /** What the keeper starts with; it lives long, so no key belongs in it. */
  readonly environment: Readonly<Record<string, string>>;
};

/** Who asks: when it is called off, and whom its terminal's program may ask meanwhile about new hosts. */
export type Asking = Pick<CallScope, 'request' | 'holds'> & { readonly signal?: AbortSignal };

export type KeeperCaller = {
  /** Undefined when no keeper runs, and so no terminal. Rejects with ToolFailure, or with the signal's reason. */
  ask(request: KeeperRequest, by?: Asking): Promise<{ readonly value: unknown } | undefined>;
  /** Starts one if need be. */
  askOrStart(request: KeeperRequest, by?: Asking): Promise<unknown>;
  /** Undefined when no keeper runs. */
  attach(key: TerminalKey): Promise<TerminalView | undefined>;
};

export function createKeeperCaller({ runtimeFolder, programFile, environment }: KeeperCallerOptions): KeeperCaller {
  const folder = join(runtimeFolder, `terminals-${protocolVersion}`);
  const companion = createCompanion<true>({
    ...{ folder, programFile, environment },
    args: [folder],
    readHello: (line) => (JSON.parse(line) === greeting ? true : undefined),
    words: {
      name: 'The keeper of the terminals',
      things: 'Terminals',
      instead: 'Run the command with the shell tool instead.',
      brokenOff: 'The keeper of the terminals ended before it answered, and every terminal with it. Open them again.',
    },
  });

  /** Answers the keeper's questions until it answers ours. */
  const askOn = (line: Line<true>, request: KeeperRequest, by: Asking = {}): Promise<unknown> => {
    const read = async (next: () => Promise<string>): Promise<unknown> => {
      for (;;) {
        const said = await next();
        const asked = readQuestion(said);
        if (asked === undefined) return valueOf(said);
        sendLine(line.socket, await answerFor(by, asked));
      }
    };
    return companion.ask(line, by.request === undefined ? request : { ...request, canAsk: true }, read, by.signal);
  };

  return {
    async ask(request, by) {
      const line = await companion.open();
      return line === undefined ? undefined : { value: await askOn(line, request, by) };
    },
    async askOrStart(request, by) {
      return askOn(await companion.openOrStart(by?.signal), request, by);
    },
    async attach(key) {
      const line = await companion.open();
      if (line === undefined) return undefined;
      sendLine(line.socket, { op: 'attach', ...key } satisfies KeeperRequest);
      try {
        const { replay } = valueOf(await line.next()) as { readonly replay: string };
        return viewOn(line, key.name, Buffer.from(replay, 'base64'));
      } catch (error) {
        line.socket.destroy();
        throw companion.brokenOff(error);
      }
    },
  };
}

async function answerFor(by: Asking, { question, url, method, holds }: HostQuestion): Promise<HostAnswer> {
  const access = { kind: 'url', url, method } as const;
  if (holds === true) return { answer: question, isAllowed: (await by.holds?.(access)) ?? true, reason: '' };
  const decision = await by.request?.(access);
  const reason = decision?.reason ?? 'nobody can be asked';
  return { answer: question, isAllowed: decision?.verdict === 'allow', reason };
}

function viewOn(line: Line<true>, name: string, replay: Buffer): TerminalView {
  const { socket } = line;
  let listener: ((bytes: Buffer) => void) | undefined;
  const kept: Buffer[] = [];
  const exit = (async () => {
    for (;;) {
      const message = await line.next().then(
        (text) => JSON.parse(text) as ViewMessage,
        () => undefined,
      );
      if (message === undefined) return null;
      if ('exitCode' in message) return message.exitCode;
      if (!('data' in message)) continue;
      const bytes = Buffer.from(message.data, 'base64');
      if (listener === undefined) kept.push(bytes);
      else listener(bytes);
    }
  })();
  void exit.then(() => socket.destroy());
  return {
    name,
    replay,
    exit,
    onData(wanted) {
      listener = wanted;
      for (const bytes of kept.splice(0)) wanted(bytes);
    },
    write: (bytes) => void sendLine(socket, { data: Buffer.from(bytes).toString('base64') } satisfies ViewMessage),
    resize: (columns, rows) => void sendLine(socket, { columns, rows } satisfies ViewMessage),
    detach: () => void socket.destroy(),
  };
}
