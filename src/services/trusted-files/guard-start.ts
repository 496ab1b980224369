/** The same look for programs that are started by themselves: jobs and terminals, whoever supervises them. */
import type { StartCommand } from '../shell/running-command.ts';
import type { TrustedFiles } from './create-trusted-files.ts';

/** Looks now and then while it runs, and at its end; what was set aside stands among the notes of the end. */
export function guardStart(start: StartCommand, trusted: Pick<TrustedFiles, 'begin'>): StartCommand {
  return async (request, takePipes) => {
    const run = await trusted.begin(request.workspace);
    const command = await start(request, takePipes).catch(async (error: unknown) => {
      await run.end();
      throw error;
    });
    return {
      ...command,
      async finish(circumstances) {
        const end = await command.finish(circumstances).catch(async (error: unknown) => {
          await run.end();
          throw error;
        });
        return { ...end, notes: [...end.notes, ...(await run.end())] };
      },
    };
  };
}
