/** Finds podman or docker, where the user has one, and tries out what they can do here. */
import { execFile } from 'node:child_process';
import { findProgram, readVersion } from './find-bubblewrap.ts';

export type ContainerTool = {
  readonly name: 'podman' | 'docker';
  readonly path: string;
  readonly version: string;
};

export type ContainerSearch =
  | { readonly found: ContainerTool }
  | { readonly found: undefined; readonly problem: 'missing' | 'broken'; readonly reason: string };

/** podman first: it needs no service that runs as root, and hands descriptors on. */
export async function findContainer(folders?: readonly string[]): Promise<ContainerSearch> {
  const problems: string[] = [];
  for (const name of ['podman', 'docker'] as const) {
    const path = findProgram(name, folders);
    if (path === undefined) continue;
    const version = await readVersion(path);
    if (version === undefined) problems.push(`${path} --version does not answer`);
    // Debian's package podman-docker answers to both names.
    else if (name === 'docker' && !(await hasService(path))) problems.push(`${path} reaches no docker service`);
    else return { found: { name, path, version } };
  }
  return problems.length === 0
    ? { found: undefined, problem: 'missing', reason: 'neither podman nor docker is installed' }
    : { found: undefined, problem: 'broken', reason: problems.join(', and ') };
}

function hasService(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const environment = { PATH: '/usr/bin:/bin', ...launcherEnvironment(process.env) };
    execFile(path, ['version', '--format', '{{.Server.Version}}'], { timeout: 5000, env: environment }, (error) =>
      resolve(error === null),
    );
  });
}

const kept = ['HOME', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG', 'TMPDIR']; // prettier-ignore

/** Where these tools keep their storage and find their service; never a key. */
export function launcherEnvironment(own: NodeJS.ProcessEnv): Record<string, string> {
  const environment: Record<string, string> = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
  for (const name of kept) {
    const value = own[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
