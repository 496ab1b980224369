/** How the supervisor starts commands: in sandboxes made as the asking program would make them. */
import { once } from '../../base/once.ts';
import type { Sandbox } from '../sandbox/create-sandbox.ts';
import { createServices } from '../service-makers.ts';
import type { PipePool } from '../shell/pipe-pool.ts';
import type { StartCommand } from '../shell/running-command.ts';
import { startInSandbox } from '../shell/start-in-sandbox.ts';
import { startOnHost } from '../shell/start-on-host.ts';
import type { StartRequest } from './protocol.ts';

/** Settings change now and then; each set of them is a sandbox of its own. */
const maxKept = 8;

export function createStarters(pool: PipePool): (request: StartRequest) => Promise<StartCommand> {
  const kept = new Map<string, () => Promise<Sandbox>>();

  function sandboxFor(sources: StartRequest['sources']): Promise<Sandbox> {
    const key = JSON.stringify(sources);
    const found = kept.get(key) ?? once(() => createServices(sources).sandbox());
    kept.delete(key);
    kept.set(key, found);
    for (const old of [...kept.keys()].slice(0, -maxKept)) kept.delete(old);
    return found();
  }

  return async ({ rung, sources }) => {
    const sandbox = await sandboxFor(sources);
    const { environment } = sources;
    if (rung === 'host') return (command, takePipes) => startOnHost({ sandbox, environment }, command, takePipes);
    return (command, takePipes) => startInSandbox({ sandbox, pool }, command, takePipes);
  };
}
