/** Everything a terminal's program prints goes on the screen, into the transcript and to the viewers; the slowest sets the pace. */
import { setTimeout as delay } from 'node:timers/promises';
import { waitsForInput } from './front-process.ts';
import type { PseudoTerminal } from './pseudo-terminal.ts';
import type { ScreenModel } from './screen-model.ts';
import type { StartedTerminal } from './start-terminal.ts';
import { createTranscript, type Transcript } from './transcript.ts';

/** A person's view of it: bytes as they come. */
export type Viewer = {
  onData(bytes: Buffer): void;
  onExit(exitCode: number | null): void;
  /** True while it cannot take more: the program has to wait. */
  isSlow(): boolean;
};

/** Whose screen it is. */
export type Resting = Pick<StartedTerminal, 'session' | 'isConnecting'>;

export type Output = {
  readonly viewers: Set<Viewer>;
  readonly transcript: Transcript;
  /** Looks again whether the program may go on. */
  flow(): void;
  /** Resolves when something was shown and then nothing more, while the program waits for keys; or after `maxMs`. */
  rest(of: Resting, maxMs: number, ended: Promise<void>): Promise<void>;
  /** The program has ended: resolves when all it printed is on the screen. */
  drain(): Promise<void>;
};

const transcriptBytes = 256 * 1024;
/** Printed and not yet on the screen. */
const maxBehindBytes = 512 * 1024;
const quietMs = 120;
/** When nothing at all is shown. */
const silentMs = 400;
const tickMs = 20;
/** What left the sandbox's tree cannot hold the terminal open; on the machine it might. */
const drainMs = 500;

export function followOutput(pseudo: PseudoTerminal, screen: ScreenModel): Output {
  const viewers = new Set<Viewer>();
  const transcript = createTranscript(transcriptBytes);
  let behindBytes = 0;
  let lastAt = performance.now();
  let count = 0;
  const flow = (): void => {
    if (behindBytes > maxBehindBytes || [...viewers].some((viewer) => viewer.isSlow())) pseudo.pause();
    else pseudo.resume();
  };
  pseudo.onData((bytes) => {
    lastAt = performance.now();
    count += 1;
    transcript.add(bytes);
    behindBytes += bytes.length;
    for (const viewer of viewers) viewer.onData(bytes);
    void screen.write(bytes).then(() => {
      behindBytes -= bytes.length;
      flow();
    });
    flow();
  });
  // A person's own terminal answers for itself.
  screen.onReply((text) => viewers.size === 0 && pseudo.write(text));
  return {
    viewers,
    transcript,
    flow,
    async rest({ session, isConnecting }, maxMs, ended) {
      const from = performance.now();
      const before = count;
      let connectingAt = from;
      let isOver = false;
      void ended.then(() => (isOver = true));
      while (!isOver && performance.now() - from < maxMs) {
        // What a host answers is still to be shown then.
        if (isConnecting()) connectingAt = performance.now();
        const stillMs = performance.now() - Math.max(lastAt, connectingAt);
        const isStill = stillMs >= (count > before ? quietMs : silentMs) && behindBytes === 0;
        if (isStill && waitsForInput(session)) return;
        await Promise.race([delay(tickMs), ended]);
      }
    },
    async drain() {
      let isOver = false;
      void pseudo.ended.then(() => (isOver = true));
      const isStill = (): boolean => behindBytes === 0 && performance.now() - lastAt > drainMs;
      lastAt = performance.now();
      while (!isOver && !isStill()) await Promise.race([delay(tickMs), pseudo.ended]);
      await screen.look(0);
    },
  };
}
