/** Writes to a stream and waits until it has taken everything, so that a later exit cuts nothing off. */

/** Resolves also when the reader has gone away: `handrail tools | head` is no failure. */
export function printAll(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error === null || error === undefined || (error as NodeJS.ErrnoException).code === 'EPIPE') resolve();
      else reject(error);
    });
  });
}
