/** The limits of one shell, one command or one job, from before it starts until it is gone. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ControlGroup } from './control-group.ts';
import { enterGroups } from './enter-groups.ts';
import type { GroupFiles } from './group-files.ts';
import { writeLimit } from './group-limits.ts';
import { type GroupPlace, openPlace, readEvents } from './group-place.ts';
import type { LimitFigures } from './limit-figures.ts';
import { dataNote, killedNote, memoryNote, notesFromWords, processNote, type Seen } from './limit-notes.ts';
import { removeGroups } from './remove-group.ts';
import type { ScopeMaker } from './systemd-scope.ts';
import type { Watch, Watcher } from './watch-processes.ts';
import type { WatchRequest } from './watched-command.ts';

export type LimitGroup = {
  /** The same command, started from within its limits. */
  enter(command: readonly [string, ...string[]]): readonly [string, ...string[]];
  /** What the first process sets for all others, as one line for a POSIX shell; what cannot be set is passed over. */
  readonly rlimits: string;
  /**
   * Looks at it from outside while it runs. `onExceeded`: end it all, and say so; nothing else helps.
   * Call the result when all of it has ended.
   */
  watch(request: WatchStart): () => void;
  /** A command begins in a shell that is watched. Call the result when it has ended: between commands looks are few. */
  begin(): () => void;
  /** What was hit since the last call, as sentences. `seen`: what the command itself showed of it. */
  notes(seen?: Seen): readonly string[];
  /** Where the group that limits it can end all of it at once, however its processes hide: one process is in one group only. */
  readonly hold: ControlGroup | undefined;
  /** When everything in it has ended. */
  remove(): Promise<void>;
};

export type WatchStart = Pick<WatchRequest, 'pid' | 'paths' | 'innerPaths' | 'inside' | 'onExceeded'>;

export type LimitGroupParts = {
  readonly files: GroupFiles;
  readonly places: readonly GroupPlace[];
  readonly scope: ScopeMaker | undefined;
  readonly figures: LimitFigures;
  /** Of all groups of this program. */
  readonly together: LimitFigures;
  readonly rlimits: string;
  /** They hold the memory of each process. */
  readonly limitsData: boolean;
  readonly watcher: Watcher;
};

export function createLimitGroup(parts: LimitGroupParts): LimitGroup {
  const { files, places, scope, figures, watcher } = parts;
  const id = randomUUID();
  const groups = openGroups(parts, id);
  const entrances = places.map((place, index) => join(groups[index] ?? place.folder, place.entrance));
  const held = heldBy(places, scope);
  const fresh = new Set<string>();
  const watches = new Set<Watch>();
  let known = countEvents(parts, groups);

  return {
    rlimits: parts.rlimits,
    hold: findHold(files, places, id),
    enter: (command) => enterGroups(entrances, scope === undefined ? command : scope.enter(figures, command)),
    watch(start) {
      const watch = watcher.watch({
        ...start,
        figures,
        held,
        onHit: (note) => void fresh.add(note),
        onExceeded(note) {
          fresh.add(note);
          start.onExceeded(note);
        },
      });
      watches.add(watch);
      return () => {
        watches.delete(watch);
        watch.stop();
      };
    },
    begin() {
      const ends = [...watches].map((watch) => watch.begin());
      return () => {
        for (const end of ends) end();
      };
    },
    notes(seen) {
      const now = countEvents(parts, groups);
      if (now.oomKills > known.oomKills) fresh.add(memoryNote(figures));
      if (now.forks > known.forks) fresh.add(processNote(figures));
      known = now;
      if (seen !== undefined) {
        const data = parts.limitsData ? dataNote(seen.stderr, figures) : undefined;
        for (const note of notesFromWords(seen, figures)) fresh.add(note);
        const killed = scope === undefined ? undefined : killedNote(seen, figures);
        if (killed !== undefined) fresh.add(killed);
        if (data !== undefined && !fresh.has(memoryNote(figures))) fresh.add(data);
      }
      const notes = [...fresh];
      fresh.clear();
      return notes;
    },
    async remove() {
      await removeGroups(files, groups);
    },
  };
}

/** Throws nothing that a caller could mend: a group that cannot be made after all is like one that was not found. */
function openGroups({ files, places, figures, together }: LimitGroupParts, id: string): readonly string[] {
  return places.map((place) => {
    openPlace(files, place, together);
    const folder = join(place.folder, id);
    files.makeFolder(folder);
    for (const controller of place.controllers) {
      writeLimit(files, folder, { version: place.version, controller }, figures);
    }
    return folder;
  });
}

function findHold(files: GroupFiles, places: readonly GroupPlace[], id: string): ControlGroup | undefined {
  const place = places.find(({ version }) => version === 2);
  if (place === undefined) return undefined;
  const folder = join(place.folder, id);
  if (!files.exists(join(folder, 'cgroup.kill'))) return undefined;
  return {
    entrance: join(folder, place.entrance),
    pids: () => files.read(join(folder, 'cgroup.procs')).split('\n').filter(Boolean).map(Number),
    kill: () => files.write(join(folder, 'cgroup.kill'), '1'),
    // With the limits, whose group it is.
    remove: () => Promise.resolve(),
  };
}

function heldBy(places: readonly GroupPlace[], scope: ScopeMaker | undefined) {
  const has = (name: 'memory' | 'cpu') =>
    scope !== undefined || places.some((place) => place.controllers.includes(name));
  return { memory: has('memory'), cpu: has('cpu') };
}

function countEvents({ files, places }: LimitGroupParts, groups: readonly string[]) {
  const events = places.map((place, index) => readEvents(files, place, groups[index] ?? place.folder));
  return {
    oomKills: events.reduce((sum, { oomKills }) => sum + oomKills, 0),
    forks: events.reduce((sum, { forks }) => sum + forks, 0),
  };
}
