/** Whether any tab of this app is looked at, in this browser: what one shows, the others need not tell. */

const lockName = 'handrail-looked-at';

/** Undefined where the browser has no locks: then this tab stands for all. */
export function watchLookedAt(document: Document, locks: LockManager | undefined): () => Promise<boolean> {
  let release: (() => void) | undefined;
  const look = (): void => {
    release?.();
    release = undefined;
    if (document.hidden || locks === undefined) return;
    void locks.request(lockName, { mode: 'shared' }, () => new Promise<void>((resolve) => (release = resolve)));
  };
  document.addEventListener('visibilitychange', look);
  look();
  return async () => {
    if (!document.hidden) return true;
    const { held = [] } = (await locks?.query()) ?? {};
    return held.some(({ name }) => name === lockName);
  };
}
