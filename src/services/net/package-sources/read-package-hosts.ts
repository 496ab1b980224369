/** Where this machine's package managers download from: read from their own configuration, and from them themselves for their defaults. */
import { execFile } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { once } from '../../../base/once.ts';
import type { PackageSetup, PackageSources } from '../create-network.ts';
import { goAddresses, readCargoSources, readGoFile } from './language-sources.ts';
import type { PackageMachine } from './machine-files.ts';
import { readNpmSource } from './npm-source.ts';
import { readPipSource } from './pip-source.ts';
import { hostPatternOf, readSource } from './source-address.ts';
import { readApkSources, readAptSources } from './system-sources.ts';

const askMs = 10_000;

/** Reads nothing before it is asked; programs are run at most once. */
export function createPackageSources(machine: PackageMachine): PackageSources {
  const ask = machine.ask ?? ((file, args) => askProgram(file, args, machine));
  const hosts = once(async () => {
    const npm = readNpmSource(machine, npmPrograms(machine));
    const pip = readPipSource(machine);
    const asked = await Promise.all([
      npm.registry === undefined ? askNpm(ask) : [npm.registry],
      pip.index === undefined ? askPip(ask) : [pip.index],
      askGo(machine, ask),
    ]);
    const found = [
      ...asked.flat(),
      ...[...npm.others.map(({ url }) => url), ...pip.extra, ...pip.links],
      ...[...readAptSources(machine), ...readApkSources(machine), ...readCargoSources(machine)],
    ];
    return [...new Set(found.map(hostPatternOf))];
  });
  return { hosts, setup: () => packageSetup(machine) };
}

/** Only what somebody has set: every manager knows its own default. */
function packageSetup(machine: PackageMachine): PackageSetup {
  const npm = readNpmSource(machine, npmPrograms(machine));
  const pip = readPipSource(machine);
  const go = goAddresses([machine.environment['GOPROXY'] ?? readGoFile(machine)['GOPROXY']]);
  const scopes = npm.others.map(({ scope, url }) => `${scope}:registry=${url.href}\n`);
  const npmrc = (npm.registry === undefined ? '' : `registry=${npm.registry.href}\n`) + scopes.join('');
  const variables = {
    ...(pip.index === undefined ? {} : { PIP_INDEX_URL: pip.index.href }),
    ...(pip.extra.length === 0 ? {} : { PIP_EXTRA_INDEX_URL: pip.extra.map((url) => url.href).join(' ') }),
    ...(pip.trustedHosts.length === 0 ? {} : { PIP_TRUSTED_HOST: pip.trustedHosts.join(' ') }),
    ...(go.length === 0 ? {} : { GOPROXY: go.map((url) => url.href.replace(/\/$/, '')).join(',') }),
  };
  return { variables, npmrc };
}

type Ask = NonNullable<PackageMachine['ask']>;

async function askNpm(ask: Ask): Promise<URL[]> {
  const url = readSource((await ask('npm', ['config', 'get', 'registry'])) ?? '');
  return url === undefined ? [] : [url];
}

/** pip has no command that prints its default; its own code names the index and the host that files come from. */
const pipDefault = 'from pip._internal.models.index import PyPI as p; print(p.url, "https://" + p.file_storage_domain)';

async function askPip(ask: Ask): Promise<URL[]> {
  const said = (await ask('python3', ['-c', pipDefault])) ?? '';
  return said
    .split(/\s+/)
    .map(readSource)
    .filter((url) => url !== undefined);
}

async function askGo(machine: PackageMachine, ask: Ask): Promise<readonly URL[]> {
  const { GOPROXY, GOSUMDB } = { ...readGoFile(machine), ...machine.environment };
  if (GOPROXY !== undefined && GOSUMDB !== undefined) return goAddresses([GOPROXY, GOSUMDB]);
  return goAddresses([await ask('go', ['env', 'GOPROXY', 'GOSUMDB'])]);
}

function npmPrograms({ environment }: PackageMachine): string[] {
  return (environment['PATH'] ?? '').split(':').flatMap((folder) => {
    const program = join(folder, 'npm');
    return folder.startsWith('/') && isProgram(program) ? [program, realpathSync(program)] : [];
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not here: the next folder.
    return false;
  }
}

/** In `/`: what lies in somebody's working folder must not have a say in where packages come from. */
function askProgram(file: string, args: readonly string[], machine: PackageMachine): Promise<string | undefined> {
  const { PATH = '/usr/local/bin:/usr/bin:/bin' } = machine.environment;
  // Relative entries of PATH would be looked up in a folder that is not the user's own.
  const safePath = PATH.split(':')
    .filter((folder) => folder.startsWith('/'))
    .join(':');
  return new Promise((resolve) => {
    execFile(
      file,
      [...args],
      {
        cwd: '/',
        env: { PATH: safePath, HOME: machine.userHome, LANG: 'C.UTF-8' },
        timeout: askMs,
        killSignal: 'SIGKILL',
      },
      (error, stdout) => resolve(error === null ? stdout.trim() : undefined),
    );
  });
}
