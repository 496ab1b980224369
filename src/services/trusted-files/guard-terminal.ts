/** The same look for what a terminal's program does: now and then, at each look at its screen, and when it has ended. */
import type { StartedTerminal, TerminalStart } from '../terminals/start-terminal.ts';
import type { TrustedFiles } from './create-trusted-files.ts';

export type StartTerminal = (start: TerminalStart) => Promise<StartedTerminal>;

export function guardTerminal(start: StartTerminal, trusted: Pick<TrustedFiles, 'begin'>): StartTerminal {
  return async (request) => {
    const run = await trusted.begin(request.workspace);
    const started = await start(request).catch(async (error: unknown) => {
      await run.end();
      throw error;
    });
    const last: string[] = [];
    let isOver = false;
    const exited = started.exited.finally(async () => {
      isOver = true;
      last.push(...(await run.end()));
    });
    exited.catch(() => undefined); // Whoever waits for the end hears of it.
    const takeNotes = async (): Promise<readonly string[]> => [
      ...(await started.takeNotes()),
      ...(isOver ? last.splice(0) : await run.check()),
    ];
    return { ...started, exited, takeNotes };
  };
}
