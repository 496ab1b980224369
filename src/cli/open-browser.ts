/** Opens a file in the browser of the desktop, where this terminal stands on one of the same user. */
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';

export type DesktopFacts = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
  readonly userId: number;
  /** Undefined: there is no such file. */
  ownerOf(file: string): number | undefined;
};

/** Root shares a display with whoever lent it, and browsers refuse to run as root: root opens nothing. */
export function isOwnDesktop({ environment, isTerminal, userId, ownerOf }: DesktopFacts): boolean {
  const hasDisplay = [environment['DISPLAY'], environment['WAYLAND_DISPLAY']].some((name) => (name ?? '') !== '');
  if (!isTerminal || !hasDisplay || userId === 0) return false;
  const runtime = environment['XDG_RUNTIME_DIR'] ?? '';
  // After `su` the variables are still those of the one who sits there.
  return runtime === '' || ownerOf(runtime) === userId;
}

export const thisDesktop = (): DesktopFacts => ({
  environment: process.env,
  isTerminal: process.stdout.isTTY === true,
  userId: process.getuid?.() ?? 0,
  ownerOf: (file) => statSync(file, { throwIfNoEntry: false })?.uid,
});

/** False: there is nothing that opens files. */
export function openBrowser(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const opener = spawn('xdg-open', [file], { detached: true, stdio: 'ignore' });
    opener.once('error', () => resolve(false));
    opener.once('spawn', () => {
      opener.unref();
      resolve(true);
    });
  });
}
