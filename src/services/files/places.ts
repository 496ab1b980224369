/** The folders that the file guard knows by name, as real paths; found once, on first use. */
import { ToolFailure } from '../../contract/failure.ts';
import { findCredentialPlaces, type CredentialPlaces } from './credential-paths.ts';
import { findRealPath } from './real-path.ts';

export type FilesOptions = {
  /** Our own state: refused to every tool, whatever is granted. */
  readonly stateRoots: readonly string[];
  /** Cut results; readable, never writable. May lie below a state root. */
  readonly artifactsFolder: string;
  /** The sandbox's private home on disk. May lie below a state root. */
  readonly homeFolder: string;
  /** For root in the workspace of somebody else, whom commands there are: that user's home. Omitted: `homeFolder`, as for everybody. */
  readonly homeOf?: (workspace: string) => Promise<string>;
  /** The same home as commands inside the sandbox know it, for example `/home/handrail`. `~` means this one. */
  readonly homePath: string;
  /** Where we make workspaces for conversations that brought none. May lie below a state root. */
  readonly workspacesFolder: string;
  readonly trashFolder: string;
  /** The user's own home, for the credential folders in it. */
  readonly userHome: string;
  /** When given: beyond the workspace, the home and the artifacts, no other folder can be reached, not even by asking. */
  readonly allowedPaths?: readonly string[];
};

export type Places = {
  readonly stateRoots: readonly string[];
  readonly artifactsFolder: string;
  readonly homeFolder: string;
  readonly workspacesFolder: string;
  readonly allowedPaths: readonly string[] | undefined;
  readonly credentials: CredentialPlaces;
};

export async function findPlaces(options: FilesOptions): Promise<Places> {
  const real = async (path: string): Promise<string> => {
    const found = await findRealPath(path, { from: '/' });
    if (found === undefined)
      throw new ToolFailure(
        'failed',
        `The folder ${path} cannot be found: too many links lead to it. Remove the link that leads back to itself.`,
      );
    return found.realPath;
  };
  const [artifactsFolder, homeFolder, workspacesFolder, trashFolder, userHome] = await Promise.all(
    [options.artifactsFolder, options.homeFolder, options.workspacesFolder, options.trashFolder, options.userHome].map(
      real,
    ),
  );
  return {
    stateRoots: [...(await Promise.all(options.stateRoots.map(real))), trashFolder ?? options.trashFolder],
    artifactsFolder: artifactsFolder ?? options.artifactsFolder,
    homeFolder: homeFolder ?? options.homeFolder,
    workspacesFolder: workspacesFolder ?? options.workspacesFolder,
    allowedPaths: options.allowedPaths && (await Promise.all(options.allowedPaths.map(real))),
    credentials: await findCredentialPlaces([...new Set([options.userHome, userHome ?? options.userHome])]),
  };
}
