/** Where the system's package manager downloads from: sources.list(5) of apt in both formats, and apk-repositories(5). */
import { listFiles, type PackageMachine, readSmall } from './machine-files.ts';
import { readSource } from './source-address.ts';

export function readAptSources(machine: PackageMachine): readonly URL[] {
  const lines = ['/etc/apt/sources.list', ...listFiles(machine, '/etc/apt/sources.list.d', '.list')]
    .flatMap((file) => readSmall(machine, file).split('\n'))
    .map((line) => /^\s*deb(?:-src)?\s+(?:\[[^\]]*\]\s+)?(\S+)/.exec(line)?.[1]);
  const stanzas = listFiles(machine, '/etc/apt/sources.list.d', '.sources').flatMap((file) =>
    readSmall(machine, file).split(/\n\s*\n/),
  );
  return [...lines, ...stanzas.flatMap(stanzaAddresses)]
    .map((text) => readSource(text ?? ''))
    .filter((url) => url !== undefined);
}

/** deb822(5): a field may go on over indented lines. */
function stanzaAddresses(stanza: string): string[] {
  const text = stanza
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n');
  if (/^Enabled:\s*(?:no|false|off|0)\s*$/im.test(text)) return [];
  return (/^URIs:((?:.*)(?:\n[ \t].*)*)/im.exec(text)?.[1] ?? '').split(/\s+/);
}

export function readApkSources(machine: PackageMachine): readonly URL[] {
  return readSmall(machine, '/etc/apk/repositories')
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .map((line) => readSource(line.trim().replace(/^@\S+\s+/, '')))
    .filter((url) => url !== undefined);
}
