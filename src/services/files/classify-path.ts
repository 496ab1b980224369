/** Says in which zone a real path lies. */
import { isInside } from '../../base/is-inside.ts';
import type { PathMode, PathZone } from '../../contract/access.ts';
import type { Places } from './places.ts';
import { isTrustedPath } from './trusted-paths.ts';

/**
 * Pure. Our own folders are looked at before the state folder they may lie in, the state folder and credentials before
 * the workspace: a workspace that contains one of them does not open it. Trusted files are ordinary ones to a reader.
 */
export function classifyPath(realPath: string, mode: PathMode, workspace: string, places: Places): PathZone {
  if (isInside(realPath, places.artifactsFolder)) return 'artifacts';
  if (isInside(realPath, places.homeFolder)) return zoneWithin('home', realPath, places.homeFolder, mode);
  if (isInside(realPath, places.workspacesFolder)) {
    return isInside(realPath, workspace) ? zoneWithin('workspace', realPath, workspace, mode) : 'outside';
  }
  if (places.stateRoots.some((root) => isInside(realPath, root))) return 'state';
  if (places.credentials.contains(realPath)) return 'credentials';
  return isInside(realPath, workspace) ? zoneWithin('workspace', realPath, workspace, mode) : 'outside';
}

function zoneWithin(zone: 'workspace' | 'home', realPath: string, folder: string, mode: PathMode): PathZone {
  if (mode === 'read') return zone;
  return isTrustedPath(
    realPath
      .slice(folder.length)
      .split('/')
      .filter((part) => part !== ''),
  )
    ? 'trusted'
    : zone;
}
