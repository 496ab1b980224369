/** Who holds a claim, in words: it names its process, and what that is we read ourselves. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { escapeInvisible } from '../../base/escape-invisible.ts';

const patienceMs = 500;
const maxWords = 60;

/** Never rejects: an owner that does not answer, or ended meanwhile, is just "another process". */
export async function findOwner(socketName: string): Promise<string> {
  const pid = await askForPid(socketName);
  if (pid === undefined) return 'Another process';
  if (pid === process.pid) return 'Another turn of this program';
  const words = commandOf(pid);
  return words === '' ? `Another process (${pid})` : `Another process (${pid}: ${words})`;
}

function askForPid(socketName: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = connect(socketName);
    let text = '';
    socket.setEncoding('latin1').setTimeout(patienceMs, () => socket.destroy());
    socket.on('data', (more: string) => {
      text += more;
      if (text.includes('\n') || text.length > 20) socket.destroy();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(/^[1-9]\d{0,9}$/.test(text.trim()) ? Number(text) : undefined));
  });
}

/** Without the paths of Node and of the program, which are the same for all. */
function commandOf(pid: number): string {
  try {
    const [, ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
    const own = words.map((word, at) => (at === 0 && /\/main\.(?:js|ts)$/.test(word) ? 'handrail' : word));
    const line = escapeInvisible(own.join(' '));
    return line.length > maxWords ? `${line.slice(0, maxWords - 1)}…` : line;
  } catch {
    // It ended a moment ago, or /proc hides it from us.
    return '';
  }
}
