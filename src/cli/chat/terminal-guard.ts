/** Gives the terminal back as it was, however the program ends. */
import { writeSync } from 'node:fs';

export type TerminalGuard = {
  /** Resolves with the exit code when a signal says that the program must end. */
  readonly ended: Promise<number>;
  /** Puts everything back; safe to call again. */
  restore(): void;
};

// Bracketed paste off, kitty keyboard protocol popped by Ink itself, cursor shown, colours reset.
const restoring = '\u001b[?2004l\u001b[?25h\u001b[0m';

/** 128 + the signal's number, as shells report it. */
const endings = { SIGTERM: 143, SIGHUP: 129, SIGINT: 130, SIGQUIT: 131 } as const;

export function createTerminalGuard(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream): TerminalGuard {
  let isRestored = false;
  const ended = Promise.withResolvers<number>();
  const handlers = Object.entries(endings).map(([signal, code]) => ({ signal, handler: () => ended.resolve(code) }));

  function putBack(): void {
    if (isRestored) return;
    isRestored = true;
    try {
      if (stdin.isTTY) stdin.setRawMode(false);
      // Synchronous: after a crash nothing asynchronous gets through.
      if (stdout.isTTY) writeSync(1, restoring);
    } catch {
      // The terminal itself is gone (closed window): there is nothing left to put back.
    }
  }

  /** A crash: the terminal first, so that the message is readable. */
  function onCrash(error: unknown): void {
    putBack();
    process.stderr.write(`\nhandrail: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(70);
  }

  for (const { signal, handler } of handlers) process.on(signal, handler);
  process.on('exit', putBack);
  process.on('uncaughtException', onCrash);
  process.on('unhandledRejection', onCrash);
  return {
    ended: ended.promise,
    restore() {
      for (const { signal, handler } of handlers) process.off(signal, handler);
      process.off('exit', putBack);
      process.off('uncaughtException', onCrash);
      process.off('unhandledRejection', onCrash);
      putBack();
    },
  };
}
