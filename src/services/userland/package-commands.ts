/** How the two package managers are called and read: scripts for sh, and what they print. Pure. */
import { ToolFailure } from '../../contract/failure.ts';
import type { UserlandPackage } from '../../contract/userland.ts';

export type PackageCommands = {
  /** The set of the everyday programs: shell, standard utilities, network, Python, Node, ssh, transfer. */
  readonly basic: readonly string[];
  readonly update: string;
  /** Names as "$@". */
  readonly install: string;
  readonly remove: string;
  readonly list: string;
  /** The query as "$1". */
  readonly search: string;
  readPackages(output: string): readonly UserlandPackage[];
};

const apk: PackageCommands = {
  basic: [
    'bash', 'coreutils', 'findutils', 'diffutils', 'grep', 'sed', 'gawk', 'tar', 'gzip', 'xz', 'unzip', 'patch', 'less', 'file',
    'procps', 'util-linux', 'ca-certificates', 'curl', 'wget', 'git', 'jq', 'python3', 'py3-pip', 'nodejs', 'npm',
    'openssh-client', 'lftp', 'rsync',
  ], // prettier-ignore
  update: 'apk update',
  install: 'apk add "$@"',
  remove: 'apk del "$@"',
  list: 'apk info -vv',
  search: 'apk search -v "$1"',
  readPackages: (output) => readLines(output, readApkLine),
};

/** Without recommendations, which would bring a compiler with pip. */
const apt: PackageCommands = {
  basic: [
    'bash', 'coreutils', 'findutils', 'diffutils', 'grep', 'sed', 'gawk', 'tar', 'gzip', 'xz-utils', 'unzip', 'patch', 'less',
    'file', 'procps', 'util-linux', 'ca-certificates', 'curl', 'wget', 'git', 'jq', 'python3', 'python3-pip', 'python3-venv',
    'nodejs', 'openssh-client', 'lftp', 'rsync',
  ], // prettier-ignore
  update: 'apt-get -q update',
  install: 'apt-get -q -y -o Dpkg::Use-Pty=0 install --no-install-recommends "$@"',
  remove: 'apt-get -q -y -o Dpkg::Use-Pty=0 remove "$@"',
  list: "dpkg-query -W -f='${binary:Package}\\t${Version}\\t${binary:Summary}\\t${db:Status-Status}\\n' | grep 'installed$' | cut -f 1-3",
  // Names first: what merely mentions the word in its description may be hundreds.
  search: [
    'names=$({ apt-cache pkgnames | grep -F -- "$1" | sort; apt-cache search -- "$1" 2>/dev/null | cut -d " " -f 1; }',
    `| awk '!seen[$0]++' | head -n 200)\n[ -z "$names" ] || apt-cache --no-all-versions show $names`,
    `| sed -n -e 's/^Package: /P:/p' -e 's/^Version: /V:/p' -e 's/^Description\\(-en\\)*: /D:/p'`,
  ].join(' '),
  readPackages: (output) => (/^P:/m.test(output) ? readAptRecords(output) : readLines(output, readTabbedLine)),
};

/** Of the whole set what S15 names: after the installation each must be there. */
export const basicPrograms = [
  'bash', 'ls', 'curl', 'wget', 'git', 'jq', 'python3', 'node', 'ssh', 'scp', 'sftp', 'lftp', 'rsync',
] as const; // prettier-ignore

export const packageCommands = { apk, 'apt-get': apt } as const;

/** Names go to a shell's "$@", and must not be taken for options, files or versions of something else. */
export function checkPackageNames(names: readonly string[]): void {
  const wrong = names.find((name) => !/^[A-Za-z0-9][A-Za-z0-9+._-]*$/.test(name) || name.length > 128);
  if (wrong !== undefined) {
    const shown = JSON.stringify(wrong.slice(0, 60));
    throw new ToolFailure('invalid_input', `${shown} is no name of a package. \`packages search\` finds names.`);
  }
  if (names.length === 0) throw new ToolFailure('invalid_input', 'Name at least one package.');
}

export function checkQuery(query: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9+._ -]*$/.test(query) && query.length <= 100) return;
  throw new ToolFailure('invalid_input', 'Search for a word: letters, digits, and . + - _ inside it.');
}

function readLines(output: string, read: (line: string) => UserlandPackage | undefined): readonly UserlandPackage[] {
  const found = output.split('\n').map((line) => read(line.trimEnd()));
  return sortByName(found.filter((entry) => entry !== undefined));
}

/** `bash-5.2.37-r0 - The GNU Bourne Again shell`; the version begins at the last `-` with a digit that ends in a release. */
function readApkLine(line: string): UserlandPackage | undefined {
  if (/^(WARNING|ERROR|fetch)\b/.test(line)) return undefined;
  const match = /^([A-Za-z0-9][^\s]*?)(?:-(\d[^\s]*-r\d+))?(?:\s+-\s+(.*))?$/.exec(line);
  if (match?.[1] === undefined) return undefined;
  return { name: match[1], version: match[2] ?? '', description: match[3] ?? '' };
}

function readTabbedLine(line: string): UserlandPackage | undefined {
  const [name = '', version = '', description = ''] = line.split('\t');
  return name === '' || !line.includes('\t') ? undefined : { name, version, description };
}

function readAptRecords(output: string): readonly UserlandPackage[] {
  const records = output.split(/^P:/m).slice(1);
  const found = records.map((text) => {
    const field = (letter: string): string => new RegExp(`^${letter}:(.*)$`, 'm').exec(text)?.[1] ?? '';
    return { name: text.split('\n')[0] ?? '', version: field('V'), description: field('D') };
  });
  return sortByName([...new Map(found.map((entry) => [entry.name, entry])).values()]);
}

/** What is called like the query, then what begins like it, then what holds it, then the rest. */
export function sortByFit(packages: readonly UserlandPackage[], query: string): readonly UserlandPackage[] {
  const distance = ({ name }: UserlandPackage): number =>
    name === query ? 0 : name.startsWith(query) ? 1 : name.includes(query) ? 2 : 3;
  return packages.toSorted((one, other) => distance(one) - distance(other));
}

function sortByName(packages: readonly UserlandPackage[]): readonly UserlandPackage[] {
  return packages.toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
}
