/** Where npm (and yarn, pnpm, which read the same) downloads from: npmrc(5). */
import { dirname, join } from 'node:path';
import { expandVariables, type PackageMachine, readIni, readSmall } from './machine-files.ts';
import { readSource } from './source-address.ts';

/** `registry` undefined: npm's own default, which only npm can tell. */
export type NpmSource = {
  readonly registry: URL | undefined;
  /** Of single scopes. */
  readonly others: readonly { readonly scope: string; readonly url: URL }[];
};

export function readNpmSource(machine: PackageMachine, programs: readonly string[]): NpmSource {
  const { environment, userHome } = machine;
  const named = environment['npm_config_registry'] ?? environment['NPM_CONFIG_REGISTRY'];
  const entries = [
    environment['npm_config_userconfig'] ?? environment['NPM_CONFIG_USERCONFIG'] ?? join(userHome, '.npmrc'),
    ...globalFiles(machine, programs),
  ].flatMap((file) => readIni(readSmall(machine, file)));
  const read = (value: string): URL | undefined => readSource(expandVariables(value, environment));
  const registries = [
    ...(named === undefined ? [] : [named]),
    ...entries.filter(({ key }) => key === 'registry').map(({ value }) => value),
  ];
  return {
    registry: registries.map(read).find((url) => url !== undefined),
    others: entries.flatMap(({ key, value }) => {
      const scope = /^(@[\w.-]+):registry$/.exec(key)?.[1];
      const url = read(value);
      return scope === undefined || url === undefined ? [] : [{ scope, url }];
    }),
  };
}

/** npm's global file lies in the folder that npm is installed under. */
function globalFiles({ environment }: PackageMachine, programs: readonly string[]): string[] {
  const named = environment['npm_config_globalconfig'] ?? environment['NPM_CONFIG_GLOBALCONFIG'];
  const prefixes = [...programs.map((program) => dirname(dirname(program))), '/usr/local', '/usr', '/'];
  return [...(named === undefined ? [] : [named]), ...prefixes.map((prefix) => join(prefix, 'etc/npmrc'))];
}
