/** Where everything that we keep lies: one folder under HANDRAIL_HOME, else the XDG folders. */
import { userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { SetupFailure } from '../../contract/failure.ts';

export type StateFolders = {
  /** The five places that hold all of it; the same folder several times under HANDRAIL_HOME. */
  readonly config: string;
  readonly data: string;
  readonly state: string;
  readonly cache: string;
  /** Sockets. In our own folder: XDG_RUNTIME_DIR is often inherited by accounts that may not use it. */
  readonly runtime: string;
  readonly settingsFile: string;
  readonly databaseFile: string;
  readonly secretsFile: string;
  readonly artifactsFolder: string;
  /** The sandbox's private home, not the user's. */
  readonly homeFolder: string;
  readonly trashFolder: string;
  readonly userToolsFolder: string;
  /** Workspaces of conversations that were given none. */
  readonly workspacesFolder: string;
  readonly backupFolder: string;
  readonly logFile: string;
  readonly compileCacheFolder: string;
  /** Every folder that holds state, each once: what no tool may touch. */
  readonly roots: readonly string[];
  /** True: HANDRAIL_HOME moved everything, and nothing may lie elsewhere (no keyring of the desktop). */
  readonly isMoved: boolean;
};

export type Machine = {
  readonly currentFolder: string;
  /** The home of the account, asked when HOME is unset. */
  readonly accountHome: () => string;
};

type Environment = Readonly<Record<string, string | undefined>>;
type Places = Pick<StateFolders, 'config' | 'data' | 'state' | 'cache' | 'runtime' | 'isMoved'>;

/** Looks at nothing but its arguments; makes nothing. Rejects a HANDRAIL_HOME that cannot be meant. */
export function resolveStateFolders(environment: Environment, machine: Machine = thisMachine()): StateFolders {
  const moved = environment['HANDRAIL_HOME'];
  const places = moved === undefined || moved === '' ? xdgPlaces(environment, machine) : movedPlaces(moved, machine);
  const { config, data, state, cache, runtime } = places;
  return {
    ...places,
    settingsFile: join(config, 'settings.json'),
    databaseFile: join(data, 'handrail.sqlite'),
    secretsFile: join(data, 'secrets.json'),
    artifactsFolder: join(data, 'artifacts'),
    homeFolder: join(data, 'home'),
    trashFolder: join(data, 'trash'),
    userToolsFolder: join(data, 'user-tools'),
    workspacesFolder: join(data, 'workspaces'),
    backupFolder: join(data, 'backups'),
    logFile: join(state, 'handrail.log'),
    compileCacheFolder: join(cache, 'compile-cache'),
    roots: [...new Set([config, data, state, cache, runtime])],
  };
}

function movedPlaces(moved: string, machine: Machine): Places {
  if (moved.includes('\0')) throw new SetupFailure('HANDRAIL_HOME holds a NUL character: name a folder.');
  if (moved === '~' || moved.startsWith('~/')) {
    throw new SetupFailure(`HANDRAIL_HOME is ${moved}, but only a shell expands "~": write the whole path.`);
  }
  // A current directory that was removed matters only to a relative path.
  const folder = isAbsolute(moved) ? resolve(moved) : resolve(machine.currentFolder, moved);
  if (folder === '/') throw new SetupFailure('HANDRAIL_HOME is the root folder: name a folder for Handrail alone.');
  return {
    config: folder,
    data: folder,
    state: folder,
    cache: join(folder, 'cache'),
    runtime: join(folder, 'run'),
    isMoved: true,
  };
}

/** https://specifications.freedesktop.org/basedir-spec/latest/: values that are not absolute are to be ignored. */
function xdgPlaces(environment: Environment, machine: Machine): Places {
  const home = resolveUserHome(environment, machine);
  const place = (name: string, byDefault: string) =>
    join(absolute(environment[name]) ?? join(home, byDefault), 'handrail');
  const state = place('XDG_STATE_HOME', '.local/state');
  return {
    config: place('XDG_CONFIG_HOME', '.config'),
    data: place('XDG_DATA_HOME', '.local/share'),
    state,
    cache: place('XDG_CACHE_HOME', '.cache'),
    runtime: join(state, 'run'),
    isMoved: false,
  };
}

/** An empty or relative HOME says nothing: the account's own counts then. */
export function resolveUserHome(environment: Environment, machine: Machine = thisMachine()): string {
  return absolute(environment['HOME']) ?? machine.accountHome();
}

/** Both, and what no folder that is worked in may be. */
export function resolvePlaces(environment: Environment) {
  const folders = resolveStateFolders(environment);
  const userHome = resolveUserHome(environment);
  return { folders, userHome, rules: { ...folders, userHome, stateRoots: folders.roots } };
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) && !path.includes('\0') ? path : undefined;
}

function thisMachine(): Machine {
  return {
    get currentFolder() {
      return currentFolder();
    },
    accountHome: () => userInfo().homedir,
  };
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new SetupFailure('The current directory was removed: go to another folder, or make HANDRAIL_HOME absolute.', {
      cause: error,
    });
  }
}
