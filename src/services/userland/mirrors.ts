/** Where Alpine is to be had, in the order in which it is asked for, and how long its releases are looked after. */

/** https://mirrors.alpinelinux.org: the official network, kernel.org, RWTH Aachen, ETH Zürich, Waterloo, Tsinghua. */
export const alpineMirrors: readonly string[] = [
  'https://dl-cdn.alpinelinux.org/alpine',
  'https://mirrors.edge.kernel.org/alpine',
  'https://ftp.halifax.rwth-aachen.de/alpine',
  'https://alpine.ethz.ch/alpine',
  'https://mirror.csclub.uwaterloo.ca/alpine',
  'https://mirrors.tuna.tsinghua.edu.cn/alpine',
];

/** https://alpinelinux.org/releases: the last day with security fixes. */
const supportEnds: Readonly<Record<string, string>> = {
  '3.17': '2024-11-22',
  '3.18': '2025-05-09',
  '3.19': '2025-11-01',
  '3.20': '2026-04-01',
  '3.21': '2026-11-01',
  '3.22': '2027-05-01',
  '3.23': '2027-11-01',
};

/** One sentence when the release gets no fixes any more; undefined when it does, or when we do not know. */
export function outOfSupportNote(version: string, now: Date): string | undefined {
  const end = supportEnds[version];
  if (end === undefined || now.getTime() < Date.parse(end)) return undefined;
  const newer = Object.keys(supportEnds).find((name) => Date.parse(supportEnds[name] ?? '') > now.getTime());
  const advice =
    newer === undefined ? '' : ` A newer one: handrail sandbox install alpine --version ${newer} --replace`;
  return `Alpine ${version} has been without security fixes since ${end}.${advice}`;
}

/** The names of processors as Alpine has them. */
export function alpineArchitecture(processor: string = process.arch): string | undefined {
  const names: Readonly<Record<string, string>> = {
    x64: 'x86_64',
    arm64: 'aarch64',
    ia32: 'x86',
    arm: 'armv7',
    ppc64: 'ppc64le',
    s390x: 's390x',
    riscv64: 'riscv64',
  };
  return names[processor];
}
