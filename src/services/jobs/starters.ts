/** How the supervisor starts commands: in sandboxes made, and watched, as the asking program would do it. */
import { once } from '../../base/once.ts';
import type { CallWatch } from '../net/watch-calls.ts';
import type { Sandbox } from '../sandbox/create-sandbox.ts';
import { createServices } from '../service-makers.ts';
import type { PipePool } from '../shell/pipe-pool.ts';
import type { StartCommand } from '../shell/running-command.ts';
import { startInSandbox } from '../shell/start-in-sandbox.ts';
import { startOnHost } from '../shell/start-on-host.ts';
import type { TrustedFiles } from '../trusted-files/create-trusted-files.ts';
import { guardStart } from '../trusted-files/guard-start.ts';
import type { StartRequest } from './protocol.ts';

/** Settings change now and then; each set of them is a sandbox of its own. */
const maxKept = 8;

type Surroundings = { readonly sandbox: Sandbox; readonly trusted: TrustedFiles };

export function createStarters(pool: PipePool): (request: StartRequest) => Promise<StartCommand> {
  const kept = new Map<string, () => Promise<Surroundings>>();

  function surroundingsFor(sources: StartRequest['sources']): Promise<Surroundings> {
    const key = JSON.stringify(sources);
    const found = kept.get(key) ?? once(() => makeSurroundings(sources));
    kept.delete(key);
    kept.set(key, found);
    for (const old of [...kept.keys()].slice(0, -maxKept)) kept.delete(old);
    return found();
  }

  return async ({ rung, conversationId, sources }) => {
    const { sandbox, trusted } = await surroundingsFor(sources);
    const { environment } = sources;
    const start: StartCommand = (command, takePipes) =>
      rung === 'host'
        ? startOnHost({ sandbox, environment }, command, takePipes)
        : startInSandbox({ sandbox, pool }, command, takePipes);
    return guardStart(
      watchNetwork(start, (onNote) => sandbox.network?.watch(conversationId, undefined, onNote)),
      trusted,
    );
  };
}

async function makeSurroundings(sources: StartRequest['sources']): Promise<Surroundings> {
  const services = createServices(sources);
  return { sandbox: await services.sandbox(), trusted: await services.trusted() };
}

/** Nobody can be asked about a host here; what was refused stands among the notes, also while it runs. */
function watchNetwork(start: StartCommand, open: (onNote: () => void) => CallWatch | undefined): StartCommand {
  return async (request, takePipes) => {
    let listener: ((notes: readonly string[]) => void) | undefined;
    const tell = (): void => listener?.(watch?.notes() ?? []);
    const watch = open(tell);
    const command = await start(request, takePipes).catch((error: unknown) => {
      watch?.end();
      throw error;
    });
    return {
      ...command,
      onNotes(wanted) {
        listener = wanted;
        if ((watch?.notes() ?? []).length > 0) tell();
      },
      async finish(circumstances) {
        const end = await command.finish(circumstances).finally(() => watch?.end());
        return { ...end, notes: [...end.notes, ...(watch?.notes() ?? [])] };
      },
    };
  };
}
