/** How programs inside a sandbox are set up: the way to the proxy, and the package managers' own configuration, which is ours. */
import type { PackageSetup } from './create-network.ts';
import { controlPathName, insideControlPath } from '../ssh/connection-folder.ts';
import { forwardScript } from './forward-command.ts';
import { insideFile, insidePort, insideProxy } from './inside-places.ts';
import { listenInPerl, listenScript } from './listener-command.ts';
import { sshConfigText, sshConnectText } from './ssh-files.ts';

/**
 * What a home holds for npm, pip and go decides which programs they run and where they load from. Conversations share the
 * home, so these files are ours and read-only; what a project says about itself still counts.
 */
export const configurationVariables: Readonly<Record<string, string>> = {
  npm_config_userconfig: insideFile('npmrc'),
  PIP_CONFIG_FILE: insideFile('pip.conf'),
  GOENV: 'off',
  [controlPathName]: insideControlPath,
};

/**
 * Most programs look for one of the two cases only. Names are looked up by the proxy (socks5h), since there is no resolver
 * inside; what a program serves inside its sandbox is reached without it.
 */
export const proxyVariables: Readonly<Record<string, string>> = {
  HTTP_PROXY: insideProxy,
  http_proxy: insideProxy,
  HTTPS_PROXY: insideProxy,
  https_proxy: insideProxy,
  ALL_PROXY: `socks5h://127.0.0.1:${insidePort}`,
  all_proxy: `socks5h://127.0.0.1:${insidePort}`,
  NO_PROXY: 'localhost,127.0.0.1,::1',
  no_proxy: 'localhost,127.0.0.1,::1',
  // Node 24: fetch and http honour the variables above.
  NODE_USE_ENV_PROXY: '1',
};

export type ConfigurationText = { readonly text: string; readonly mode: number };

/** By file name. */
export function configurationTexts(setup: PackageSetup, isOn: boolean): Readonly<Record<string, ConfigurationText>> {
  return {
    // Where programs of npm lie on PATH.
    npmrc: { text: `prefix=\${HOME}/.local\n${setup.npmrc}`, mode: 0o644 },
    // Debian wants to be told that it is not the system's Python which is installed into (PEP 668); the home is ours.
    'pip.conf': { text: '[global]\nbreak-system-packages = true\ndisable-pip-version-check = true\n', mode: 0o644 },
    ...(isOn
      ? {
          'forward.cjs': { text: forwardScript, mode: 0o644 },
          'listen.cjs': { text: listenScript, mode: 0o644 },
          'listen.pl': { text: listenInPerl, mode: 0o644 },
          ssh_config: { text: sshConfigText, mode: 0o644 },
          'ssh-connect': { text: sshConnectText, mode: 0o755 },
        }
      : {}),
  };
}
