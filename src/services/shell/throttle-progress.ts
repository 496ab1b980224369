/** Shows people what a command prints while it runs, but never more than they could read. */
import { StringDecoder } from 'node:string_decoder';

export type OutputStream = 'stdout' | 'stderr';
export type OnOutput = (chunk: { readonly stream: OutputStream; readonly text: string }) => void;

const maxBytesPerSecond = 64 * 1024;

/** Returns what takes the bytes. Beyond the limit they are passed over until the second is over; the result has them anyway. */
export function throttleProgress(
  onOutput: OnOutput | undefined,
  nowMs: () => number = () => performance.now(),
): (stream: OutputStream, bytes: Buffer) => void {
  if (onOutput === undefined) return () => undefined;
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  let windowStart = nowMs();
  let leftBytes = maxBytesPerSecond;
  return (stream, bytes) => {
    const now = nowMs();
    if (now - windowStart >= 1000) {
      windowStart = now;
      leftBytes = maxBytesPerSecond;
    }
    if (leftBytes <= 0) return;
    const shown = bytes.subarray(0, leftBytes);
    leftBytes -= shown.length;
    const text = decoders[stream].write(shown);
    // What follows a gap does not complete what stood before it.
    if (leftBytes <= 0) decoders[stream] = new StringDecoder('utf8');
    if (text !== '') onOutput({ stream, text });
  };
}
