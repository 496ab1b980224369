/** Ends everything a command has started: politely, then firmly, then for certain. */
import { setTimeout as delay } from 'node:timers/promises';

/** What can be done to the processes of one command. */
export type KillTarget = {
  /** To the command's own processes, as Ctrl-C would. */
  interrupt(): void;
  terminate(): void;
  /** All of them, at once. */
  kill(): void;
  /** What holds them (the namespace, the control group), when one of them slipped through. */
  destroy(): void;
};

const graceMs = 200;
const lastGraceMs = 300;

/** Resolves with the signal after which nothing was left. `gone` must resolve when the command's tree has ended. */
export async function endTree(target: KillTarget, gone: Promise<unknown>): Promise<NodeJS.Signals> {
  target.interrupt();
  if (await within(gone, graceMs)) return 'SIGINT';
  target.terminate();
  if (await within(gone, graceMs)) return 'SIGTERM';
  target.kill();
  if (await within(gone, lastGraceMs)) return 'SIGKILL';
  target.destroy();
  await gone;
  return 'SIGKILL';
}

/** Whether `happening` resolves in time. */
export async function within(happening: Promise<unknown>, waitMs: number): Promise<boolean> {
  const controller = new AbortController();
  try {
    return await Promise.race([
      happening.then(() => true),
      delay(waitMs, false, { signal: controller.signal }).catch(() => false),
    ]);
  } finally {
    controller.abort();
  }
}
