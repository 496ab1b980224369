/** Writes to a stream and waits until it has taken everything, so that a later exit cuts nothing off. */

/**
 * Resolves also when that failed: `handrail tools | head` is no failure, and what is one (a full disk) is said at the
 * end by whoever guards the stream.
 */
export function printAll(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => void stream.write(text, () => resolve()));
}
