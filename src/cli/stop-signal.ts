/** Ctrl-C and termination as an abort signal. */
import { ToolFailure } from '../contract/failure.ts';

export type StopSignal = { readonly signal: AbortSignal; dispose(): void };

/** The first SIGINT, SIGTERM or SIGHUP stops the work; a second SIGINT ends the program at once. */
export function createStopSignal(): StopSignal {
  const control = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (control.signal.aborted && name === 'SIGINT') process.exit(130);
    control.abort(new ToolFailure('cancelled', 'Stopped by the user.'));
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, onSignal);
  return {
    signal: control.signal,
    dispose: () => {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
