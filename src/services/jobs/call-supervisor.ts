/** Asks the supervisor of a state folder's jobs, which is started where none runs. */
import { join } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';
import { createCompanion, type Line } from '../companion-process/call-companion.ts';
import { type Hello, type JobAnswer, type JobRequest, protocolVersion, readAnswer, readHello } from './protocol.ts';

export type CallerOptions = {
  readonly jobsFolder: string;
  /** The program that supervises: a file for Node. */
  readonly programFile: string;
  /** What the supervisor starts with; it lives long, so no key belongs in it. */
  readonly environment: Readonly<Record<string, string>>;
};

export type SupervisorCaller = {
  /** Undefined when no supervisor runs. Rejects with ToolFailure. */
  ask(request: JobRequest): Promise<JobAnswer | undefined>;
  /** Starts one if need be. `signal`: calls it off, also what was started by then. */
  askOrStart(request: JobRequest, signal: AbortSignal): Promise<JobAnswer>;
  /** Whoever answers now. */
  find(): Promise<Hello | undefined>;
};

/** Megabytes. It holds no data of jobs; a long command passes through it once. */
const maxHeap = 512;

/** Names of conversations do not begin with a dot. */
export const supervisorFolder = (jobsFolder: string): string => join(jobsFolder, '.supervisor');

export function createSupervisorCaller({ jobsFolder, programFile, environment }: CallerOptions): SupervisorCaller {
  const companion = createCompanion<Hello>({
    folder: supervisorFolder(jobsFolder),
    args: [jobsFolder],
    flags: [`--max-old-space-size=${maxHeap}`, '--max-semi-space-size=1'],
    ...{ programFile, environment, readHello },
    words: {
      name: 'The supervisor of background jobs',
      things: 'Background jobs',
      instead: 'Run the command in the foreground.',
      brokenOff:
        'The supervisor of background jobs ended before it answered, and every job with it. The list of the jobs shows what became of them.',
    },
  });

  function askOn(line: Line<Hello>, request: JobRequest, signal?: AbortSignal): Promise<JobAnswer> {
    if (line.hello.version !== protocolVersion) {
      line.socket.destroy();
      throw otherVersion(line.hello);
    }
    return companion.ask(line, request, async (next) => readAnswer(await next()), signal);
  }

  return {
    async ask(request) {
      const line = await companion.open();
      return line === undefined ? undefined : askOn(line, request);
    },
    async askOrStart(request, signal) {
      return askOn(await companion.openOrStart(signal), request, signal);
    },
    async find() {
      const line = await companion.open();
      line?.socket.destroy();
      return line?.hello;
    },
  };
}

function otherVersion({ pid }: Hello): ToolFailure {
  return new ToolFailure(
    'conflict',
    `Background jobs of another version of Handrail are still running (supervisor ${pid}). Wait for them to finish, or end them with that version, then try again.`,
  );
}
