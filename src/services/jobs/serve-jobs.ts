/** The supervisor's door: answers programs on its socket, and closes it when nothing runs any more. */
import type { Server, Socket } from 'node:net';
import type { Claim } from './claim.ts';
import type { Supervisor } from './job-record.ts';
import { answerOfFailure, type JobRequest, protocolVersion, readLines, readRequest, sendLine } from './protocol.ts';
import type { JobSupervisor } from './supervisor.ts';

export type ServeTimes = {
  /** How long it stays with nothing to do: whoever started it comes at once. */
  readonly idleMs: number;
  /** How often it looks whether its place on the disk is still there. */
  readonly lookMs: number;
};

const defaultTimes: ServeTimes = { idleMs: 1_000, lookMs: 2_000 };

/** Resolves when the door is closed, with no job left. Rejects when it cannot be opened. */
export async function serveJobs(
  claim: Claim,
  supervisor: JobSupervisor,
  identity: Supervisor,
  times: ServeTimes = defaultTimes,
): Promise<void> {
  const open = new Set<Socket>();
  const isIdle = (): boolean => open.size === 0 && supervisor.runningCount() === 0;
  let idleTimer: NodeJS.Timeout | undefined;
  let left = (): void => undefined;
  const hasLeft = new Promise<void>((resolve) => (left = resolve));

  let isAskedToStop = false;
  const takeNote = (): void => {
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => (isIdle() ? leave() : takeNote()), isAskedToStop ? 0 : times.idleMs);
  };
  const welcome = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      open.delete(socket);
      takeNote();
    });
    sendLine(socket, { version: protocolVersion, id: identity.id, pid: identity.pid });
    readLines(socket, (line) => void answer(supervisor, socket, line).then((op) => (isAskedToStop ||= op === 'stop')));
  };
  let server: Server = await claim.listen(welcome);

  const endAll = async (): Promise<void> => {
    await supervisor.handle({ op: 'stop' }, () => true);
    leave();
  };
  const look = setInterval(() => {
    const place = claim.look();
    // The state folder was removed: nobody could ever find or end a job of it again.
    if (place === 'gone') void endAll();
    if (place !== 'unreachable') return;
    server.close();
    void claim.listen(welcome).then((again) => (server = again), endAll);
  }, times.lookMs);
  const leave = (): void => {
    clearTimeout(idleTimer);
    clearInterval(look);
    // Nobody who connects from now on is heard, so that nobody is heard and then left alone.
    server.close();
    for (const socket of open) socket.destroy();
    claim.release();
    left();
  };
  process.on('SIGHUP', () => undefined);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void endAll());
  takeNote();
  return hasLeft;
}

/** Resolves with what was asked, where it was done. */
async function answer(supervisor: JobSupervisor, socket: Socket, line: string): Promise<JobRequest['op'] | undefined> {
  let done: JobRequest['op'] | undefined;
  try {
    const request = readRequest(line);
    sendLine(socket, await supervisor.handle(request, () => !socket.destroyed));
    done = request.op;
  } catch (error) {
    sendLine(socket, answerOfFailure(error));
  }
  socket.end();
  return done;
}
