/** The supervisor's door: answers programs on its socket, and closes it when nothing runs any more. */
import type { Server, Socket } from 'node:net';
import { ToolFailure } from '../../contract/failure.ts';
import type { Claim } from '../companion-process/claim.ts';
import { readLines, sendLine } from '../companion-process/json-lines.ts';
import type { Supervisor } from './job-record.ts';
import { answerOfFailure, type Hello, type JobRequest, protocolVersion, readRequest } from './protocol.ts';
import type { JobSupervisor } from './supervisor.ts';

export type ServeOptions = {
  /** Hears of what no program is told in full. */
  readonly onFault: (error: unknown) => void;
  /** How long it stays with nothing to do: whoever started it comes at once. */
  readonly idleMs?: number;
  /** How often it looks whether its place on the disk is still there. */
  readonly lookMs?: number;
};

const usualIdleMs = 1_000;
const usualLookMs = 2_000;
const silentMs = 120_000;

/** Resolves when the door is closed, with no job left. Rejects when it cannot be opened. */
export async function serveJobs(
  claim: Claim,
  supervisor: JobSupervisor,
  { id, pid }: Pick<Supervisor, 'id' | 'pid'>,
  { onFault, idleMs = usualIdleMs, lookMs = usualLookMs }: ServeOptions,
): Promise<void> {
  const open = new Set<Socket>();
  const hasLeft = Promise.withResolvers<void>();
  let isAskedToStop = false;
  let hasClosed = false;
  const rest = createRestTimer(
    () => open.size === 0 && supervisor.runningCount() === 0,
    () => leave(),
  );
  const welcome = welcomer({
    supervisor,
    onFault,
    hello: { version: protocolVersion, id, pid },
    onOpen: (socket) => void open.add(socket),
    onClose: (socket) => {
      open.delete(socket);
      rest.begin(idleMs, isAskedToStop ? 0 : idleMs);
    },
    onStopped: () => (isAskedToStop = true),
  });
  let server: Server = await claim.listen(welcome);

  const leave = (): void => {
    rest.end();
    clearInterval(look);
    // Nobody who connects from now on is heard, so that nobody is heard and then left alone.
    server.close();
    for (const socket of open) socket.destroy();
    if (!hasClosed) claim.release();
    hasClosed = true;
    hasLeft.resolve();
  };
  const endAll = async (): Promise<void> => {
    server.close();
    do await supervisor.handle({ op: 'stop' }, () => true);
    while (supervisor.runningCount() > 0);
    leave();
  };
  const listenAgain = (): void => {
    server.close();
    void claim.listen(welcome).then((again) => (server = again), endAll);
  };
  const look = setInterval(() => {
    const place = claim.look();
    // The state folder was removed: nobody could ever find or end a job of it again.
    if (place === 'gone') void endAll();
    else if (place === 'unreachable') listenAgain();
  }, lookMs);
  process.on('SIGHUP', () => undefined);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void endAll());
  rest.begin(idleMs);
  return hasLeft.promise;
}

type RestTimer = { begin(waitMs: number, firstMs?: number): void; end(): void };

/** Calls `onRest` when there is nothing to do at the end of a wait; `firstMs`: of the first wait, where there is nothing already. */
function createRestTimer(isIdle: () => boolean, onRest: () => void): RestTimer {
  let timer: NodeJS.Timeout | undefined;
  const begin: RestTimer['begin'] = (waitMs, firstMs = waitMs) => {
    clearTimeout(timer);
    timer = setTimeout(() => (isIdle() ? onRest() : begin(waitMs)), isIdle() ? firstMs : waitMs);
  };
  return { begin, end: () => clearTimeout(timer) };
}

type Welcome = {
  readonly supervisor: JobSupervisor;
  readonly hello: Hello;
  readonly onFault: (error: unknown) => void;
  onOpen(socket: Socket): void;
  onClose(socket: Socket): void;
  /** Somebody asked for the end of all jobs, and got it. */
  onStopped(): void;
};

function welcomer(welcome: Welcome): (socket: Socket) => void {
  return (socket) => {
    welcome.onOpen(socket);
    socket.on('error', () => undefined);
    // Whoever connects and is never heard of again must not keep us.
    socket.setTimeout(silentMs, () => socket.destroy());
    socket.once('close', () => welcome.onClose(socket));
    sendLine(socket, welcome.hello);
    const hear = async (line: string): Promise<void> => {
      if ((await answer(welcome, socket, line)) === 'stop') welcome.onStopped();
    };
    readLines(socket, (line) => void hear(line));
  };
}

/** Resolves with what was asked, where it was done. */
async function answer(
  { supervisor, onFault }: Welcome,
  socket: Socket,
  line: string,
): Promise<JobRequest['op'] | undefined> {
  let done: JobRequest['op'] | undefined;
  try {
    const request = readRequest(line);
    sendLine(socket, await supervisor.handle(request, () => !socket.destroyed));
    done = request.op;
  } catch (error) {
    if (!(error instanceof ToolFailure)) onFault(error);
    sendLine(socket, answerOfFailure(error));
  }
  socket.end();
  return done;
}
