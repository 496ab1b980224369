/** The desktop's own notifications, by notify-send: https://specifications.freedesktop.org/notification-spec/latest/ */
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { PersonNotice } from '../../contract/notifications.ts';

/** A notification server that hangs must not hold up a call. */
const timeoutMs = 3_000;

/** Resolves with false where there is no session, no notify-send, or nobody who shows it. */
export async function showOnDesktop(
  { title, message }: PersonNotice,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const bus = await busOf(environment);
  if (bus === undefined) return false;
  // Behind `--` nothing is an option. The body may hold markup (the specification's chapter "Markup"), so it is escaped.
  const words = ['--app-name=Handrail', '--', title, message.replace(/[&<>]/g, (one) => entities[one] ?? one)];
  return new Promise((resolve) => {
    execFile('notify-send', words, { timeout: timeoutMs, env: { ...environment, ...bus } }, (error) =>
      resolve(error === null),
    );
  });
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The session's bus as named, else at its usual place (systemd's pam_systemd(8)). Undefined: nobody is signed in here. */
async function busOf(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly DBUS_SESSION_BUS_ADDRESS: string } | undefined> {
  const named = environment['DBUS_SESSION_BUS_ADDRESS'];
  if (named !== undefined && named !== '') return { DBUS_SESSION_BUS_ADDRESS: named };
  const folder = environment['XDG_RUNTIME_DIR'];
  if (folder === undefined || !path.isAbsolute(folder)) return undefined;
  const socket = path.join(folder, 'bus');
  const isThere = await stat(socket).then(
    (found) => found.isSocket(),
    () => false,
  );
  return isThere ? { DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}` } : undefined;
}
