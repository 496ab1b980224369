/** The same look for what a terminal's program does: now and then, and when it has ended. `handrail trusted` shows what was found. */
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
    const exited = started.exited.finally(() => run.end());
    exited.catch(() => undefined); // Whoever waits for the end hears of it.
    return { ...started, exited };
  };
}
