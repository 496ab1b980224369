/** The keeper's side of the socket: one connection is one request, or one person who looks at a terminal. */
import type { Socket } from 'node:net';
import { ToolFailure } from '../../contract/failure.ts';
import { readLines, sendLine } from '../companion-process/json-lines.ts';
import { createPerson, type Person } from './ask-person.ts';
import type { Keeper } from './create-keeper.ts';
import { greeting, type KeeperAnswer, type KeeperRequest, type ViewMessage } from './keeper-protocol.ts';

export type TerminalServer = {
  readonly onConnection: (socket: Socket) => void;
  /** Requests and views that are going on. */
  readonly busy: number;
};

export function serveTerminals(keeper: Keeper, onIdle: () => void): TerminalServer {
  const busy = new Set<Socket>();
  const forget = (socket: Socket): void => {
    busy.delete(socket);
    onIdle();
  };
  return {
    get busy() {
      return busy.size;
    },
    onConnection(socket) {
      busy.add(socket);
      let view: View | undefined;
      let isFirst = true;
      const person = createPerson((question) => void sendLine(socket, question));
      socket.on('error', () => socket.destroy());
      socket.on('drain', () => view?.flow());
      socket.once('close', () => {
        view?.detach();
        person.leave();
        forget(socket);
      });
      readLines(socket, (line) => {
        if (!isFirst) return view === undefined ? person.take(line) : view.take(line);
        isFirst = false;
        void answer(keeper, line, socket, person).then((opened) => {
          view = opened;
          if (socket.destroyed) view?.detach();
          else if (view === undefined) socket.end();
        });
      });
      sendLine(socket, greeting);
    },
  };
}

type View = { take(line: string): void; flow(): void; detach(): void };

/** Resolves with a view where one was asked for. Never rejects. */
async function answer(keeper: Keeper, line: string, socket: Socket, person: Person): Promise<View | undefined> {
  try {
    const request = JSON.parse(line) as KeeperRequest;
    if (request.op === 'attach') return attach(keeper, request, socket);
    const value = (await act(keeper, request, person)) ?? null;
    // Whoever wanted it has called it off.
    if (request.op === 'open' && socket.destroyed) await keeper.close(request);
    else sendLine(socket, { ok: true, value } satisfies KeeperAnswer);
  } catch (error) {
    const { code, message } =
      error instanceof ToolFailure ? error : { code: 'failed' as const, message: String(error) };
    sendLine(socket, { ok: false, code, message } satisfies KeeperAnswer);
  }
  return undefined;
}

function act(keeper: Keeper, request: Exclude<KeeperRequest, { op: 'attach' }>, person: Person): unknown {
  const asked = 'canAsk' in request && request.canAsk === true ? person : undefined;
  switch (request.op) {
    case 'open':
      return keeper.open({ ...request, command: request.command, workingDir: request.workingDir }, asked);
    case 'send':
      return keeper.send(request, request.input, request, asked);
    case 'read':
      return keeper.read(request, request.historyLines);
    case 'resize':
      return keeper.resize(request, request.columns, request.rows);
    case 'typed-state':
      return keeper.typedState(request);
    case 'list':
      return keeper.list(request.conversation);
    case 'close':
      return keeper.close(request);
    case 'close-all':
      return keeper.closeAll(request.conversation);
  }
}

/** One that takes nothing for so long holds the program up for everybody else. */
const slowestMs = 10_000;

function attach(keeper: Keeper, request: Extract<KeeperRequest, { op: 'attach' }>, socket: Socket): View {
  const say = (message: ViewMessage): boolean => sendLine(socket, message);
  let slowTimer: NodeJS.Timeout | undefined;
  const { replay, terminal, detach } = keeper.attach(request, {
    onData(bytes) {
      if (!say({ data: bytes.toString('base64') })) slowTimer ??= setTimeout(() => socket.destroy(), slowestMs);
    },
    onExit(exitCode) {
      say({ exitCode });
      socket.end();
    },
    isSlow: () => slowTimer !== undefined && !socket.destroyed,
  });
  const isFast = (): void => {
    clearTimeout(slowTimer);
    slowTimer = undefined;
  };
  sendLine(socket, { ok: true, value: { replay: replay.toString('base64') } } satisfies KeeperAnswer);
  if (!terminal.isAlive) {
    void terminal.look().then(({ exitCode }) => {
      say({ exitCode });
      socket.end();
    });
  }
  return {
    flow() {
      isFast();
      terminal.flow();
    },
    detach() {
      isFast();
      detach();
    },
    take(line) {
      const message = JSON.parse(line) as ViewMessage;
      if ('data' in message) terminal.write(Buffer.from(message.data, 'base64'));
      else if ('columns' in message) terminal.resize(message.columns, message.rows);
    },
  };
}
