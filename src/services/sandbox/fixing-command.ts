/** The command that mends a missing sandbox, in the words of the machine's own distribution. */
import { readFileSync } from 'node:fs';

export type Distribution = {
  /** Lower case, for example `debian`. */
  readonly id: string;
  /** `ID_LIKE`: what it descends from. */
  readonly like: readonly string[];
  readonly prettyName: string;
  /** `VERSION_CODENAME`, for example `bookworm`. Omitted: the distribution has none. */
  readonly codename?: string;
};

/** os-release(5). `unknown` where the file cannot be read. */
export function readDistribution(path = '/etc/os-release'): Distribution {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    // A machine without os-release is still a machine: the advice is general then.
  }
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}=["']?([^"'\\n]*)["']?$`, 'm').exec(text)?.[1]?.trim();
  const codename = field('VERSION_CODENAME');
  return {
    id: field('ID')?.toLowerCase() ?? 'unknown',
    like: (field('ID_LIKE') ?? '').toLowerCase().split(/\s+/).filter(Boolean),
    prettyName: field('PRETTY_NAME') ?? 'Linux',
    ...(codename === undefined ? {} : { codename }),
  };
}

/** The last word is the package; two distributions put a category before it. */
const installers: Readonly<Record<string, string>> = {
  debian: 'apt-get install ',
  ubuntu: 'apt-get install ',
  fedora: 'dnf install ',
  rhel: 'dnf install ',
  centos: 'dnf install ',
  arch: 'pacman -S ',
  alpine: 'apk add ',
  suse: 'zypper install ',
  opensuse: 'zypper install ',
  gentoo: 'emerge ',
  void: 'xbps-install ',
};

export type FixingPackage = 'bubblewrap' | 'proot' | 'podman';

export function installCommand(
  distribution: Distribution,
  isRoot: boolean,
  name: FixingPackage = 'bubblewrap',
): string {
  const known = [distribution.id, ...distribution.like]
    .map((id) => installers[id])
    .find((entry) => entry !== undefined);
  if (known === undefined) return `install the package "${name}" with your package manager`;
  return asRoot(`${known}${name}`, isRoot);
}

const reinstallers: Readonly<Record<string, string>> = {
  debian: 'apt-get install --reinstall ',
  ubuntu: 'apt-get install --reinstall ',
  fedora: 'dnf reinstall ',
  rhel: 'dnf reinstall ',
  centos: 'dnf reinstall ',
  alpine: 'apk fix ',
  suse: 'zypper install --force ',
  opensuse: 'zypper install --force ',
};

/** For a program that is there and does not work. Elsewhere installing it again does that. */
export function reinstallCommand(distribution: Distribution, isRoot: boolean, name: FixingPackage): string {
  const known = [distribution.id, ...distribution.like]
    .map((id) => reinstallers[id])
    .find((entry) => entry !== undefined);
  return known === undefined ? installCommand(distribution, isRoot, name) : asRoot(`${known}${name}`, isRoot);
}

/** What keeps an ordinary user from making a user namespace here, and how to allow it. */
export function userNamespaceFix(
  isRoot: boolean,
  readKnob: (path: string) => string | undefined = readKernelKnob,
  distribution: Distribution = readDistribution(),
): string {
  const isDebian = [distribution.id, ...distribution.like].some((id) => id === 'debian' || id === 'ubuntu');
  if (readKnob('kernel/apparmor_restrict_unprivileged_userns') === '1' && !isDebian) {
    return asRoot('sysctl -w kernel.apparmor_restrict_unprivileged_userns=0', isRoot);
  }
  if (readKnob('kernel/apparmor_restrict_unprivileged_userns') === '1') {
    // Ubuntu 24.04 ships the profile but does not load it.
    const profile = 'bwrap-userns-restrict';
    return [
      asRoot('apt-get install apparmor-profiles', isRoot),
      asRoot(`cp /usr/share/apparmor/extra-profiles/${profile} /etc/apparmor.d/`, isRoot),
      asRoot(`apparmor_parser -r /etc/apparmor.d/${profile}`, isRoot),
    ].join(' && ');
  }
  if (readKnob('kernel/unprivileged_userns_clone') === '0') {
    return asRoot('sysctl -w kernel.unprivileged_userns_clone=1', isRoot);
  }
  if (readKnob('user/max_user_namespaces') === '0') return asRoot('sysctl -w user.max_user_namespaces=10000', isRoot);
  return 'allow user namespaces for bwrap (in a container: start it with --security-opt seccomp=unconfined and --security-opt apparmor=unconfined)';
}

export function isRestrictedByAppArmor(readKnob: (path: string) => string | undefined = readKernelKnob): boolean {
  return readKnob('kernel/apparmor_restrict_unprivileged_userns') === '1';
}

function asRoot(command: string, isRoot: boolean): string {
  return isRoot ? command : `sudo ${command}`;
}

function readKernelKnob(path: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${path}`, 'utf8').trim();
  } catch {
    // The knob does not exist on this kernel.
    return undefined;
  }
}
