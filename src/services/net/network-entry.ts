/** Gives one sandbox its way out, and configuration of ours for the programs that go out: what it takes to start a program so. */
import { openSync } from 'node:fs';
import type { Server } from 'node:net';
import type { PackageSetup } from './create-network.ts';
import { forwardCommand } from './forward-command.ts';
import { insideFolder } from './inside-places.ts';
import { type BeforeProgram, listenerCommand } from './listener-command.ts';
import type { NodeLibraries } from './node-libraries.ts';
import { configurationTexts, configurationVariables, proxyVariables } from './program-configuration.ts';
import { prepareProgramFiles } from './program-files.ts';
import { tameGitConfig } from './tame-git-config.ts';

export type EntryPlace = {
  /** Ours alone, reachable for the sandbox's user once it is started. */
  readonly folder: string;
  /** The private home on the machine, and whose it is. */
  readonly home: string;
  readonly uid: number;
  readonly gid: number;
};

export type NetworkEntry = {
  /** For programs inside. */
  readonly environment: Readonly<Record<string, string>>;
  /** Just before the start: looks at what the home would tell git, and makes what programs are shown. Throws system errors. */
  bind(place: EntryPlace): { readonly source: string; readonly path: string; readonly isWritable: false };
  /** Undefined: the network is off. */
  readonly wayOut: WayOut | undefined;
};

/** What becomes the first process once the way out is made. */
export type StartedInside = BeforeProgram & { readonly program: readonly string[] };

export type WayOut = {
  /** Wraps the command that becomes the first process. Both descriptors must have numbers below 10. */
  command(handles: { readonly node: number; readonly channel: number }, inside: StartedInside): string[];
  /** The same where no descriptor can be handed over. `socket`: where programs inside find ours. */
  forward(way: { readonly node: readonly string[]; readonly socket: string }, inside: StartedInside): string[];
  /** Node's program, open; the caller closes it. */
  openNode(): number;
  /** Takes the listener that the sandbox handed over, undefined when it could not. Stop it when the sandbox has ended. */
  serve(listener: Server | undefined): { stop(): void };
};

export type EntryOptions = {
  readonly setup: PackageSetup;
  /** Looked up once per process. */
  readonly libraries: () => NodeLibraries;
  readonly onNote: (sentence: string) => void;
  readonly serve: WayOut['serve'] | undefined;
};

export function createNetworkEntry({ setup, libraries, onNote, serve }: EntryOptions): NetworkEntry {
  const isOn = serve !== undefined;
  return {
    environment: { ...configurationVariables, ...(isOn ? { ...proxyVariables, ...setup.variables } : {}) },
    bind(place) {
      const note = tameGitConfig(place);
      if (note !== undefined) onNote(note);
      const texts = configurationTexts(setup, isOn);
      const source = prepareProgramFiles(place.folder, texts, isOn ? libraries() : undefined);
      return { source, path: insideFolder, isWritable: false };
    },
    wayOut:
      serve === undefined
        ? undefined
        : {
            serve,
            command: ({ node, channel }, inside) =>
              listenerCommand({ nodeHandle: node, channelHandle: channel, loader: libraries().loader, ...inside }),
            forward: (way, inside) => forwardCommand({ ...way, ...inside }),
            openNode: () => openSync(process.execPath, 'r'),
          },
  };
}
