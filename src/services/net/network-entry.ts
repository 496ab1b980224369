/** Gives one sandbox its way out: what it takes to start a program behind the proxy. */
import { openSync } from 'node:fs';
import type { Server } from 'node:net';
import { insideFolder } from './inside-places.ts';
import { listenerCommand } from './listener-command.ts';
import type { NodeLibraries } from './node-libraries.ts';
import { prepareProgramFiles } from './program-files.ts';

export type NetworkEntry = {
  /** For programs inside. */
  readonly environment: Readonly<Record<string, string>>;
  /** What they are shown. Throws system errors when our own folder cannot be written. */
  bind(place: { readonly folder: string }): {
    readonly source: string;
    readonly path: string;
    readonly isWritable: false;
  };
  /** Wraps the command that becomes the first process. Both descriptors must have numbers below 10. */
  command(handles: { readonly node: number; readonly channel: number }, program: readonly string[]): string[];
  /** Node's program, open; the caller closes it. */
  openNode(): number;
  /** Takes the listener that the sandbox handed over, undefined when it could not. Stop it when the sandbox has ended. */
  serve(listener: Server | undefined): { stop(): void };
};

export type EntryOptions = Pick<NetworkEntry, 'environment' | 'serve'> & {
  /** Looked up once per process. */
  readonly libraries: () => NodeLibraries;
};

export function createNetworkEntry({ environment, serve, libraries }: EntryOptions): NetworkEntry {
  return {
    environment,
    serve,
    bind: ({ folder }) => ({ source: prepareProgramFiles(folder, libraries()), path: insideFolder, isWritable: false }),
    command: ({ node, channel }, program) =>
      listenerCommand({ nodeHandle: node, channelHandle: channel, loader: libraries().loader, program }),
    openNode: () => openSync(process.execPath, 'r'),
  };
}
