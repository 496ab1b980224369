/** What becomes of a standard stream that cannot be written: one line and the exit code, never a stack. */

export type OutputGuard = {
  /** The exit code to end with: a command whose output was lost has not succeeded. */
  end(exitCode: number): number;
};

/** Without a listener, Node ends the program with a stack on the first write that fails. */
export function guardOutput(stdout: NodeJS.WritableStream, stderr: NodeJS.WritableStream): OutputGuard {
  let failure: NodeJS.ErrnoException | undefined;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`| head -1`) is no failure.
    if (error.code !== 'EPIPE') failure ??= error;
  });
  // There is nowhere left to say that standard error cannot be written.
  stderr.on('error', () => undefined);
  return {
    end(exitCode) {
      if (failure === undefined) return exitCode;
      const why = failure.code === 'ENOSPC' ? 'the disk is full' : (failure.code ?? failure.message);
      stderr.write(`handrail: The output could not be written: ${why}. What was done stands in the journal.\n`);
      return exitCode === 0 ? 1 : exitCode;
    },
  };
}
