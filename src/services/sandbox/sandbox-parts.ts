/** What a sandbox is made of that does not change from command to command: made once, kept, looked at again now and then. */
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';
import { sandboxUser } from './etc-entries.ts';
import { type EtcFolder, prepareEtcFolder } from './etc-folder.ts';
import { type HostView, readHostView } from './host-view.ts';
import { moveOlderHome } from './older-home.ts';
import { type BindOwnPrograms, createOwnPrograms } from './own-programs.ts';
import { findProcGuards } from './proc-guards.ts';
import { droppedFolderFor, homeFolderFor, type RunAs } from './run-as.ts';
import { buildSeccompFilter } from './seccomp-filter.ts';

export type PartsOptions = {
  readonly stateFolder: string;
  readonly homeFolder: string;
  readonly seccompFilter?: (fakesOwners: boolean) => Buffer | undefined;
  readonly ownPrograms?: () => BindOwnPrograms;
};

/** Every method throws ToolFailure('unavailable') when our own folder cannot be written. */
export type SandboxParts = {
  hostView(): HostView;
  /** What to bind read-only over /proc. */
  procGuards(runAs: RunAs): readonly string[];
  /** For sandboxes that show a system which commands can change. */
  readonly bindOwnPrograms: BindOwnPrograms;
  /** Made when missing. */
  homeFolder(runAs: RunAs): string;
  /** A folder of ours that this user can reach once the sandbox is started. Made when missing. */
  privateFolder(runAs: RunAs): string;
  etc(request: { readonly runAs: RunAs; readonly home: string; readonly sharesNetwork: boolean }): EtcFolder;
  /** The file that holds the system-call filter; undefined where none is known for the processor. `fakesOwners`: for a userland. */
  seccompFile(fakesOwners: boolean): string | undefined;
};

/** Certificates and alternatives change while we run. */
const etcIsFreshMs = 60_000;

export function createSandboxParts(options: PartsOptions): SandboxParts {
  const folder = join(options.stateFolder, 'sandbox');
  const etcFolders = new Map<string, { readonly made: EtcFolder; readonly atMs: number }>();
  let view: HostView | undefined;
  let bindPrograms: BindOwnPrograms | undefined;
  let rootGuards: readonly string[] | undefined;
  const seccompPaths = new Map<boolean, string>();

  return {
    bindOwnPrograms(place) {
      bindPrograms ??= (options.ownPrograms ?? createOwnPrograms)();
      return bindPrograms(place);
    },
    hostView: () => (view ??= readHostView()),
    // An ordinary user's processes own nothing there; the machine's root owns everything.
    procGuards: (runAs) => (runAs.manner === 'root' ? (rootGuards ??= findProcGuards()) : ['/proc/sys']),
    homeFolder(runAs) {
      const path = homeFolderFor(options.homeFolder, runAs);
      return writing(path, () => {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        // The user walks through it, by a door that only root opens; what lies above it stays closed.
        if (runAs.manner === 'dropped') chmodSync(dirname(path), 0o755);
        if (runAs.manner !== 'dropped') moveOlderHome(path);
        if (makeFolder(path)) chownSync(path, runAs.uid, runAs.gid);
        return path;
      });
    },
    privateFolder(runAs) {
      const path = droppedFolderFor(options.homeFolder, runAs) ?? folder;
      return writing(path, () => {
        mkdirSync(path, { recursive: true, mode: 0o700 });
        return path;
      });
    },
    etc({ runAs, home, sharesNetwork }) {
      const key = `${runAs.insideUid}:${runAs.insideGid}:${home}:${sharesNetwork}`;
      const known = etcFolders.get(key);
      if (known !== undefined && performance.now() - known.atMs < etcIsFreshMs) return known.made;
      const accounts = { name: sandboxUser, uid: runAs.insideUid, gid: runAs.insideGid, home };
      const parent = droppedFolderFor(options.homeFolder, runAs) ?? folder;
      const made = writing(parent, () => prepareEtcFolder({ parent, accounts, sharesNetwork }));
      etcFolders.set(key, { made, atMs: performance.now() });
      return made;
    },
    seccompFile(fakesOwners) {
      const known = seccompPaths.get(fakesOwners);
      if (known !== undefined) return known;
      const filter = (options.seccompFilter ?? ((fakes) => buildSeccompFilter(process.arch, fakes)))(fakesOwners);
      if (filter === undefined) return undefined;
      // Named by its content and never changed: other processes of ours use the same one.
      const name = `seccomp-${createHash('sha256').update(filter).digest('hex').slice(0, 24)}.bpf`;
      const path = join(folder, name);
      return writing(folder, () => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        if (!existsSync(path)) {
          writeFileSync(`${path}.${process.pid}`, filter, { mode: 0o600 });
          renameSync(`${path}.${process.pid}`, path);
        }
        seccompPaths.set(fakesOwners, path);
        return path;
      });
    },
  };
}

/** True when it was not there. */
function makeFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function writing<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw cannotWrite(folder, error);
  }
}

function cannotWrite(folder: string, error: unknown): ToolFailure {
  const reason = (error as NodeJS.ErrnoException).code ?? String(error);
  const message = `The sandbox could not be prepared in ${folder} (${reason}), so no command was run. Free some space there, make it writable, or move Handrail's state with HANDRAIL_HOME.`;
  return new ToolFailure('unavailable', message, { cause: error });
}
