/** The bash of a conversation in its sandbox. */
import { describeLeft, readFirstReport } from '../first-process.ts';
import {
  findStartFailure,
  firstProgramHandle,
  type ProgramStart,
  type StartedProgram,
  startProgram,
} from '../start-program.ts';
import { bashOptions, quietEnvironment } from './bash-options.ts';
import { createShellFolder, type ShellFolder } from './shell-folder.ts';
import { processesBelow, processesFound, processesMarked } from './shell-processes.ts';
import { openTalk, type Talk } from './shell-talk.ts';
import type { Bash, BashStart } from './start-bash.ts';

const insideFolder = '/run/handrail/io';

export async function startBashInside(start: BashStart): Promise<Bash | undefined> {
  const parts: Parts = {};
  try {
    const started = await startProgram(programOf(start, parts));
    const { folder, talk } = parts;
    if (folder === undefined || talk === undefined) throw new Error('the sandbox did not ask for its pipes');
    talk.begin();
    return bashOf(start, started, { folder, talk });
  } catch (error) {
    closeParts(parts);
    if (error instanceof NoBash) return undefined;
    throw error;
  }
}

/** A userland with nothing but a small sh: its commands run one by one. */
class NoBash extends Error {}

/** Made while the sandbox is prepared. */
type Parts = { folder?: ShellFolder; talk?: Talk };

function closeParts({ folder, talk }: Parts): void {
  talk?.close();
  folder?.close();
}

function programOf(start: BashStart, parts: Parts): ProgramStart {
  const isFolderWritable = start.isFolderWritable === true;
  let hasBash = true;
  return {
    sandbox: start.sandbox,
    pool: start.pool,
    workspace: start.workspace,
    conversationId: start.conversationId,
    temporaryOf: start.conversationId,
    environment: quietEnvironment,
    shadowed: start.shadowed,
    cwd: () => start.workspace,
    program(view) {
      hasBash = view.shell.endsWith('/bash');
      return [view.shell, ...bashOptions];
    },
    binds(place) {
      parts.folder = createShellFolder(place.folder, start.maxPairs);
      return [{ source: parts.folder.path, path: insideFolder, isWritable: isFolderWritable }];
    },
    handleCount: 1,
    async streams(owner) {
      if (!hasBash) throw new NoBash();
      await parts.folder?.prepare(owner, start.onSide, isFolderWritable);
      const talk = await openTalk(start.pool, owner, start.onStatus);
      parts.talk = talk;
      return {
        stdin: { opened: talk.control.openInput() },
        stdout: 'none',
        stderr: { opened: talk.noise.openWriter() },
        handles: [{ opened: talk.status.openWriter() }],
      };
    },
  };
}

function bashOf({ sandbox }: BashStart, started: StartedProgram, parts: Required<Parts>): Bash {
  const { folder, talk } = parts;
  const { hunt } = started;
  const marks = new Set<number>();
  return {
    folder,
    io: insideFolder,
    handle: firstProgramHandle,
    home: started.view.home,
    send: talk.send,
    exited: started.program.exited,
    processes(shellPid, shellMark) {
      const pid = started.initPid();
      if (hunt !== undefined) return processesFound(shellPid, shellMark, hunt.pids);
      if (pid !== undefined) return processesBelow(pid, shellPid, shellMark);
      return processesMarked(shellPid, shellMark, marks);
    },
    addMark(mark) {
      marks.add(mark);
      hunt?.addMark(mark);
    },
    target: started.target,
    limits: started.limits,
    startFailure: () => findStartFailure(started, sandbox, () => Promise.resolve(talk.noise.readSoFar())),
    async release() {
      const { left, leftCount } = readFirstReport(started.report());
      const note = describeLeft(left, leftCount);
      const notes = await started.release();
      closeParts(parts);
      return [...(note === undefined ? [] : [note]), ...notes];
    },
  };
}
