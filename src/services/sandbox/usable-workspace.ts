/** Refuses workspaces that would bring the system itself, or our state, into a sandbox. */
import { ToolFailure } from '../../contract/failure.ts';
import { isInside } from './path-relation.ts';

/** Mounted by the sandbox itself: a workspace there would be hidden by it or hide it. */
const kernelFolders = ['/proc', '/sys', '/dev', '/etc', '/boot'];
/** A workspace below these is fine, these themselves are not. */
const sharedFolders = [
  '/',
  '/usr',
  '/usr/bin',
  '/usr/lib',
  '/usr/local',
  '/bin',
  '/sbin',
  '/lib',
  '/lib64',
  '/run',
  '/var',
  '/home',
];

export function checkUsableWorkspace(workspace: string, stateFolder: string, userHome: string): void {
  const problem = findProblem(workspace, stateFolder, userHome);
  if (problem === undefined) return;
  throw new ToolFailure(
    'denied',
    `${workspace} cannot be a sandbox's workspace: ${problem}. Use a folder of its own for the project.`,
  );
}

function findProblem(workspace: string, stateFolder: string, userHome: string): string | undefined {
  if (sharedFolders.includes(workspace)) return 'it is a folder of the system';
  if (kernelFolders.some((folder) => workspace === folder || isInside(workspace, folder)))
    return 'it belongs to the system';
  if (workspace === stateFolder) return "it is Handrail's own state folder";
  if (workspace === userHome || isInside(userHome, workspace)) return 'it holds the whole home folder with its keys';
  return undefined;
}
