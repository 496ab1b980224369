/** Which distribution and release an installation is about, and whether one that is there has to go for it. Pure. */
import { ToolFailure } from '../../contract/failure.ts';
import type { Settings } from '../../contract/settings.ts';
import type { UserlandDistribution, UserlandInstall } from '../../contract/userland.ts';
import type { UserlandRecord } from '../sandbox/userland-place.ts';

export type Installation = {
  readonly distribution: UserlandDistribution;
  /** Omitted: the usual one. */
  readonly version?: string;
};

export type InstallationChoice = {
  readonly wanted: Installation;
  /** A tree is to be made; else the one that is there is only finished. */
  readonly isReplacing: boolean;
};

/** Throws ToolFailure: conflict (another one is there), invalid_input (no such release). */
export function chooseInstallation(
  request: UserlandInstall,
  record: UserlandRecord | undefined,
  settings: Settings['sandbox']['userland'],
): InstallationChoice {
  const distribution = request.distribution ?? record?.distribution ?? settings.distribution;
  const isUsual = distribution === settings.distribution;
  const known = record?.distribution === distribution ? record.version : undefined;
  const asked = request.version ?? known ?? (isUsual ? settings.version : undefined);
  const version = asked === undefined ? undefined : checkVersion(distribution, asked);
  const wanted = { distribution, ...(version === undefined ? {} : { version }) };
  if (record === undefined) return { wanted, isReplacing: true };
  const isSame =
    record.distribution === distribution && (version === undefined || isSameRelease(version, record.version));
  if (isSame && request.replaces !== true) return { wanted, isReplacing: false };
  if (request.replaces === true) return { wanted, isReplacing: true };
  throw new ToolFailure(
    'conflict',
    `${record.prettyName} is installed. To have ${describe(wanted)} in its place (the home stays, packages you have added go), add --replace.`,
  );
}

/** https://alpinelinux.org/releases, https://www.debian.org/releases. */
function checkVersion(distribution: UserlandDistribution, text: string): string {
  if (distribution === 'alpine') {
    const version = /^v?(\d+\.\d+)(?:\.\d+)?$/.exec(text)?.[1];
    if (version !== undefined) return version;
    throw new ToolFailure('invalid_input', `"${text.slice(0, 40)}" is no release of Alpine: write it like 3.21.`);
  }
  if (/^(\d+|[a-z]+)$/.test(text)) return text;
  throw new ToolFailure(
    'invalid_input',
    `"${text.slice(0, 40)}" is no release of Debian: write it like 12 or bookworm.`,
  );
}

const numbers: Readonly<Record<string, string>> = { '11': 'bullseye', '12': 'bookworm', '13': 'trixie', '14': 'forky' };

/** People say numbers, mirrors say names. */
export function debianReleaseName(version: string): string {
  return numbers[version] ?? version;
}

function isSameRelease(asked: string, recorded: string): boolean {
  return asked === recorded || debianReleaseName(asked) === recorded;
}

function describe({ distribution, version }: Installation): string {
  const name = distribution === 'alpine' ? 'Alpine' : 'Debian';
  return version === undefined ? name : `${name} ${version}`;
}
