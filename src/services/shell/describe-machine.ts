/** The machine as commands see it: one line's worth of facts for the shell tool's description. */
import { accessSync, constants } from 'node:fs';
import { basename } from 'node:path';
import type { Rung, ShellFacts } from '../../contract/services.ts';
import { readDistribution } from '../sandbox/fixing-command.ts';
import { packageManagers, type UserlandRecord } from '../sandbox/userland-place.ts';

const managers = ['apt-get', 'dnf', 'pacman', 'apk', 'zypper', 'emerge', 'xbps-install'];

export function describeMachine(
  rung: Rung,
  environment: NodeJS.ProcessEnv,
  userland?: Pick<UserlandRecord, 'distribution' | 'prettyName'>,
): ShellFacts {
  if (rung !== 'host' && userland !== undefined) {
    const { distribution, prettyName } = userland;
    return {
      os: 'Linux',
      distribution: prettyName,
      shell: 'bash',
      packageManager: packageManagers[distribution],
      rung,
    };
  }
  const facts: ShellFacts = { os: 'Linux', distribution: readDistribution().prettyName, shell: 'bash', rung };
  // The host view's system folders are read-only: naming a manager there would only invite failures.
  if (rung !== 'host') return facts;
  const manager = managers.find((name) => isOnPath(name, environment['PATH'] ?? ''));
  return manager === undefined ? facts : { ...facts, packageManager: basename(manager) };
}

function isOnPath(name: string, path: string): boolean {
  return path.split(':').some((folder) => {
    try {
      accessSync(`${folder}/${name}`, constants.X_OK);
      return folder !== '';
    } catch {
      // Not in this folder.
      return false;
    }
  });
}
