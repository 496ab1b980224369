/** The environment that commands start with. Nothing of our own gets in but language and time zone: keys lie there. */

import { sandboxUser } from './etc-entries.ts';

/** System folders first: what a poisoned home puts into its own bin folder never shadows a system program. */
const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export function sandboxEnvironment(home: string, own: NodeJS.ProcessEnv): Record<string, string> {
  return {
    PATH: `${systemPath}:${home}/.local/bin`,
    HOME: home,
    USER: sandboxUser,
    LOGNAME: sandboxUser,
    SHELL: '/bin/bash',
    TERM: 'dumb',
    // Line-buffered output of Python although it writes to a pipe.
    PYTHONUNBUFFERED: '1',
    ...languageAndZone(own),
  };
}

const hostNames = [
  'PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS',
  'SSH_AUTH_SOCK', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME', 'TMPDIR',
]; // prettier-ignore

/** For the host rung: the user's session, but none of the keys that our own environment holds. */
export function hostEnvironment(own: NodeJS.ProcessEnv): Record<string, string> {
  const environment: Record<string, string> = { PATH: systemPath, TERM: 'dumb', PYTHONUNBUFFERED: '1' };
  for (const name of hostNames) {
    const value = own[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...languageAndZone(own) };
}

function languageAndZone(own: NodeJS.ProcessEnv): Record<string, string> {
  const language = own['LC_ALL'] ?? own['LANG'] ?? '';
  const zone = own['TZ'] ?? '';
  return {
    LANG: /^[A-Za-z0-9_.@-]{2,64}$/.test(language) ? language : 'C.UTF-8',
    ...(/^:?[A-Za-z0-9_+:/,.-]{1,64}$/.test(zone) && !zone.includes('..') ? { TZ: zone } : {}),
  };
}
