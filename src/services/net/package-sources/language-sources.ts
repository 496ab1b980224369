/** Where cargo and go download from, as far as files and variables say (doc.rust-lang.org/cargo, "Configuration"; go.dev/ref/mod). */
import { join } from 'node:path';
import { type PackageMachine, readIni, readSmall } from './machine-files.ts';
import { readSource } from './source-address.ts';

export function readCargoSources(machine: PackageMachine): readonly URL[] {
  const folder = machine.environment['CARGO_HOME'] ?? join(machine.userHome, '.cargo');
  return ['config.toml', 'config']
    .flatMap((name) => readIni(readSmall(machine, join(folder, name))))
    .filter(({ section, key }) => /^(?:source|registries|registry)\b/.test(section) && /^(?:registry|index)$/.test(key))
    .map(({ value }) => readSource(value))
    .filter((url) => url !== undefined);
}

/** `values` as GOPROXY and GOSUMDB have them: addresses and words, parted by commas or bars. */
export function goAddresses(values: readonly (string | undefined)[]): readonly URL[] {
  return values
    .flatMap((value) => (value ?? '').split(/[,|\s]+/))
    .map((text) => readSource(/^[a-z0-9.-]+\.[a-z]{2,}$/.test(text) ? `https://${text}` : text))
    .filter((url) => url !== undefined);
}

/** `go env -w` writes there. */
export function readGoFile(machine: PackageMachine): Readonly<Record<string, string>> {
  const named = machine.environment['GOENV'];
  const config = machine.environment['XDG_CONFIG_HOME'] ?? join(machine.userHome, '.config');
  const entries = readIni(readSmall(machine, named ?? join(config, 'go/env')));
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]));
}
