/** Where pip downloads from: pip's configuration files and variables (pip.pypa.io, "Configuration"). */
import { join } from 'node:path';
import { expandVariables, type PackageMachine, readIni, readSmall } from './machine-files.ts';
import { readSource } from './source-address.ts';

/** `index` undefined: pip's own default, which only pip can tell. */
export type PipSource = {
  readonly index: URL | undefined;
  readonly extra: readonly URL[];
  readonly links: readonly URL[];
  /** Hosts that it takes packages from without a certificate, as the machine does. */
  readonly trustedHosts: readonly string[];
};

export function readPipSource(machine: PackageMachine): PipSource {
  const { environment, userHome } = machine;
  const own = environment['PIP_CONFIG_FILE'];
  const files = [
    ...['/etc/xdg/pip/pip.conf', '/etc/pip.conf', join(userHome, '.pip/pip.conf')],
    join(environment['XDG_CONFIG_HOME'] ?? join(userHome, '.config'), 'pip/pip.conf'),
    ...(own === undefined ? [] : [own]),
  ];
  const entries = files
    .flatMap((file) => readIni(readSmall(machine, file)))
    .filter(({ section }) => section === 'global' || section === 'install' || section === 'download');
  const valuesOf = (key: string): string[] => {
    const variable = environment[`PIP_${key.toUpperCase().replaceAll('-', '_')}`];
    const values = [...entries.filter((entry) => entry.key === key).map(({ value }) => value), variable ?? ''];
    return values.flatMap((value) => value.split(/\s+/)).filter((value) => value !== '');
  };
  const all = (key: string): URL[] =>
    valuesOf(key)
      .map((value) => readSource(expandVariables(value, environment)))
      .filter((url) => url !== undefined);
  const trustedHosts = valuesOf('trusted-host').filter((host) => /^[\w.:[\]-]+$/.test(host));
  return {
    trustedHosts,
    index: all('index-url').at(-1),
    extra: all('extra-index-url'),
    links: all('find-links'),
  };
}
