/** Gives a command that runs apart from any shell its output: two pipes of its own, read until nobody writes to them. */
import { within } from './end-tree.ts';
import type { Pipe, PipePool } from './pipe-pool.ts';
import { type PipeReader, readPipe } from './read-pipe.ts';
import type { OutputSink, PrintingCommand, RunningCommand, TakePipes } from './running-command.ts';

/** After the command's shell is gone its pipes are empty at once, unless something could not be ended. */
const drainMs = 300;

export async function runApart(
  pool: PipePool,
  sink: OutputSink,
  start: (takePipes: TakePipes) => Promise<RunningCommand>,
): Promise<PrintingCommand> {
  const taken: Pipe[] = [];
  const readers: PipeReader[] = [];
  const close = async (): Promise<void> => {
    for (const reader of readers) reader.stop();
    await Promise.all(readers.map((reader) => reader.ended));
    pool.release(taken);
  };
  try {
    const command = await start(async (owner) => {
      const [stdout, stderr] = await pool.take(2, owner);
      if (stdout === undefined || stderr === undefined) throw new Error('the pool gave fewer pipes than asked for');
      taken.push(stdout, stderr);
      return { stdout, stderr };
    });
    // Not before: a pipe that nobody writes to yet is at its end.
    for (const [position, stream] of (['stdout', 'stderr'] as const).entries()) {
      const pipe = taken[position];
      if (pipe !== undefined) readers.push(readPipe(pipe.openReader(), (bytes) => sink(stream, bytes)));
    }
    return {
      ...command,
      close,
      async drain() {
        await within(Promise.all(readers.map((reader) => reader.ended)), drainMs);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
