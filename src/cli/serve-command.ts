/** `handrail serve`: the server of the web app, until a signal ends it. */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { escapeInvisible } from '../base/escape-invisible.ts';
import { MisuseFailure, SetupFailure } from '../contract/failure.ts';
import type { Handrail } from '../contract/handrail.ts';
import { tellPending } from './confirm-command.ts';
import type { CommandLine, ServedWeb } from './face.ts';
import { isOwnDesktop, openBrowser, thisDesktop } from './open-browser.ts';
import { createStopSignal } from './stop-signal.ts';

export type ServeOptions = {
  readonly host: string;
  readonly port: number;
  readonly name?: readonly string[];
  readonly passwordFile?: string;
  /** False: none. */
  readonly workspace?: string | false;
  readonly open?: boolean;
};

export async function serveCommand(face: CommandLine, options: ServeOptions): Promise<number> {
  const { host, port, name: names = [], passwordFile } = options;
  const password = passwordFile === undefined ? {} : { password: readPassword(passwordFile) };
  const handrail = await openAnywhere(face, options.workspace);
  const stop = createStopSignal();
  try {
    tellPending(handrail);
    const server = await face.serveWeb({ handrail, host, port, names, ...password, onProblem });
    try {
      tell(handrail, server);
      if (options.open === true && isOwnDesktop(thisDesktop())) await openLink(server);
      if (server.isElsewhere) return 0;
      tellKeys();
      const end = offerLinks(server);
      await untilAborted(stop.signal);
      end();
    } finally {
      await server.close();
    }
    return 0;
  } finally {
    await handrail.close({ leaveTurnsOpen: true });
    stop.dispose();
  }
}

/** Started in a project, that is where new conversations work; started in a folder that cannot be one, each gets its own. */
async function openAnywhere(face: CommandLine, workspace: string | false | undefined): Promise<Handrail> {
  if (workspace === false) return face.open({ needsNoWorkspace: true });
  if (workspace !== undefined) return face.open({ workspace });
  try {
    return await face.open({});
  } catch (error) {
    if (!(error instanceof MisuseFailure)) throw error;
    return face.open({ needsNoWorkspace: true });
  }
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new SetupFailure(`${file} cannot be read (${code}). Write the password into it, for you alone: chmod 600.`, {
      cause: error,
    });
  }
}

function tell(handrail: Handrail, server: ServedWeb): void {
  const serves = server.isElsewhere ? 'is running already and serves' : 'serves';
  process.stdout.write(`Handrail ${handrail.version} ${serves} at ${server.url}\n`);
  process.stdout.write(`Sign a browser in by this link (it works once, for ten minutes):\n${server.newLink()}\n`);
}

function tellKeys(): void {
  process.stdout.write(process.stdin.isTTY === true ? 'Enter: another link. Ctrl-C: end.\n' : '');
}

/** By a link of its own: the printed one stays unused. */
async function openLink(server: ServedWeb): Promise<void> {
  try {
    const isOpened = await openBrowser(server.linkPage());
    process.stdout.write(isOpened ? 'It opens in your browser.\n' : '');
  } catch (error) {
    onProblem(`No browser could be opened (${String(error)}). The link above works in any.`);
  }
}

/** A person at the terminal of the server may have another; nobody else may. */
function offerLinks(server: ServedWeb): () => void {
  if (process.stdin.isTTY !== true) return () => undefined;
  const lines = createInterface({ input: process.stdin });
  lines.on('line', () => process.stdout.write(`${server.newLink()}\n`));
  return () => lines.close();
}

function onProblem(line: string): void {
  process.stderr.write(`handrail serve: ${escapeInvisible(line, 'nothing')}\n`);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // A listener on a signal does not keep the program going; the server does.
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
