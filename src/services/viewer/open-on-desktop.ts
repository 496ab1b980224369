/** Opens a file with the program that the desktop has for its kind: xdg-open(1). */
import { spawn } from 'node:child_process';

/** xdg-open ends once the program has started; one that waits for it longer has started it as well. */
const patienceMs = 3_000;

/** False: this session has no screen, or no such program, or it refused. */
export function openOnDesktop(
  realPath: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const hasScreen = [environment['DISPLAY'], environment['WAYLAND_DISPLAY']].some((name) => (name ?? '') !== '');
  if (!hasScreen) return Promise.resolve(false);
  return new Promise((resolve) => {
    // An absolute path is never an option. A group of its own: it stays when this program ends.
    const opener = spawn('xdg-open', [realPath], { detached: true, stdio: 'ignore', env: { ...environment } });
    const timer = setTimeout(() => end(true), patienceMs);
    const end = (isTaken: boolean): void => {
      clearTimeout(timer);
      opener.unref();
      resolve(isTaken);
    };
    opener.once('error', () => end(false));
    opener.once('exit', (code) => end(code === 0));
  });
}
