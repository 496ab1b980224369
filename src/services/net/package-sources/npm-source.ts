/** Where npm (and yarn, pnpm, which read the same) downloads from: npmrc(5). */
import { dirname, join } from 'node:path';
import { expandVariables, type PackageMachine, readIni, readSmall } from './machine-files.ts';
import { readSource } from './source-address.ts';

/** `registry` undefined: npm's own default, which only npm can tell. */
export type NpmSource = { readonly registry: URL | undefined; readonly others: readonly URL[] };

export function readNpmSource(machine: PackageMachine, programs: readonly string[]): NpmSource {
  const { environment, userHome } = machine;
  const named = environment['npm_config_registry'] ?? environment['NPM_CONFIG_REGISTRY'];
  const entries = [
    environment['npm_config_userconfig'] ?? environment['NPM_CONFIG_USERCONFIG'] ?? join(userHome, '.npmrc'),
    ...globalFiles(machine, programs),
  ].flatMap((file) => readIni(readSmall(machine, file)));
  const read = (value: string): URL | undefined => readSource(expandVariables(value, environment));
  const registries = [...(named === undefined ? [] : [named]), ...valuesOf(entries, (key) => key === 'registry')];
  const scoped = valuesOf(entries, (key) => /^@[^:]+:registry$/.test(key));
  return {
    registry: registries.map(read).find((url) => url !== undefined),
    others: scoped.map(read).filter((url) => url !== undefined),
  };
}

/** npm's global file lies in the folder that npm is installed under. */
function globalFiles({ environment }: PackageMachine, programs: readonly string[]): string[] {
  const named = environment['npm_config_globalconfig'] ?? environment['NPM_CONFIG_GLOBALCONFIG'];
  const prefixes = [...programs.map((program) => dirname(dirname(program))), '/usr/local', '/usr', '/'];
  return [...(named === undefined ? [] : [named]), ...prefixes.map((prefix) => join(prefix, 'etc/npmrc'))];
}

const valuesOf = (entries: readonly { key: string; value: string }[], isWanted: (key: string) => boolean): string[] =>
  entries.filter(({ key }) => isWanted(key)).map(({ value }) => value);
