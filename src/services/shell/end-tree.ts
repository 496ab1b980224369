/** Ends everything a command has started: politely, then firmly, then for certain. */

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
/** When a person pressed Stop. */
const politeGraceMs = 500;
const lastGraceMs = 300;

/** Resolves with the signal after which nothing was left. `gone` must resolve when the command's tree has ended. */
export async function endTree(
  target: KillTarget,
  gone: Promise<unknown>,
  { isPolite = false }: { readonly isPolite?: boolean } = {},
): Promise<NodeJS.Signals> {
  target.interrupt();
  if (await within(gone, isPolite ? politeGraceMs : graceMs)) return 'SIGINT';
  target.terminate();
  if (await within(gone, graceMs)) return 'SIGTERM';
  target.kill();
  if (await within(gone, lastGraceMs)) return 'SIGKILL';
  target.destroy();
  await gone;
  return 'SIGKILL';
}

/** Whether `happening` resolves in time. */
export function within(happening: Promise<unknown>, waitMs: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), waitMs);
    happening.then(() => resolve(true), reject).finally(() => clearTimeout(timer));
  });
}
