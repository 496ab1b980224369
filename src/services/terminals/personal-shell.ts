/** A shell in the sandbox on the terminal that a person sits at: a pseudo-terminal of its own, tied to theirs. */
import { ToolFailure } from '../../contract/failure.ts';
import type { PersonalShell } from '../../contract/userland.ts';
import type { Sandbox } from '../sandbox/create-sandbox.ts';
import { createPipePool } from '../shell/pipe-pool.ts';
import { openPseudoTerminal, type PseudoTerminal } from './pseudo-terminal.ts';
import { startInSandbox } from './start-terminal.ts';

/** Resolves with its exit code, once nothing of it is left. Rejects with ToolFailure. */
export async function openPersonalShell(sandbox: Sandbox, request: PersonalShell): Promise<number> {
  if (sandbox.rung() === 'host') {
    const message =
      'The settings put commands on this machine itself (sandbox.rung is "host"), so there is no sandbox to open a shell in.';
    throw new ToolFailure('unavailable', message);
  }
  const { input, output, workspace, command } = request;
  const pool = createPipePool();
  const pseudo = await openPseudoTerminal(output.columns || 80, output.rows || 24);
  const show = createScreen(pseudo, output);
  let untie = (): void => undefined;
  try {
    const started = await startInSandbox({ sandbox, pool }, { pseudo, command, workspace, workingDir: undefined });
    try {
      await started.untilRunning(show.soFar);
      show.begin();
      untie = tie(request, pseudo);
      return (await started.exited) ?? 1;
    } finally {
      await started.end();
      await pseudo.ended;
    }
  } finally {
    untie();
    input.pause();
    pseudo.close();
    pool.close();
  }
}

/** What comes before the shell runs is bubblewrap's, and part of the failure then. */
function createScreen(pseudo: PseudoTerminal, output: NodeJS.WriteStream) {
  let early = '';
  let isRunning = false;
  pseudo.onData((bytes) => {
    if (!isRunning) early = (early + bytes.toString()).slice(-2000);
    else if (!output.write(bytes)) {
      pseudo.pause();
      output.once('drain', () => pseudo.resume());
    }
  });
  return {
    soFar: () => early,
    begin(): void {
      isRunning = true;
      output.write(early);
    },
  };
}

/** Every key goes inside as it is, Ctrl-C too; the size follows the window. */
function tie({ input, output }: PersonalShell, pseudo: PseudoTerminal): () => void {
  const type = (bytes: Buffer): void => pseudo.write(bytes);
  const resize = (): void => pseudo.resize(output.columns || 80, output.rows || 24);
  input.setRawMode(true);
  input.on('data', type);
  output.on('resize', resize);
  input.resume();
  return () => {
    input.setRawMode(false);
    input.off('data', type);
    output.off('resize', resize);
  };
}
