/** How the supervisor starts commands: in sandboxes made as the asking program would make them. */
import { join } from 'node:path';
import { once } from '../../base/once.ts';
import type { Sandbox } from '../sandbox/create-sandbox.ts';
import { createServices } from '../service-makers.ts';
import type { PipePool } from '../shell/pipe-pool.ts';
import type { StartCommand } from '../shell/running-command.ts';
import { startInSandbox } from '../shell/start-in-sandbox.ts';
import { startOnHost } from '../shell/start-on-host.ts';
import { createTrustedFiles, type TrustedFiles } from '../trusted-files/create-trusted-files.ts';
import { guardStart } from '../trusted-files/guard-start.ts';
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

  const trusted = new Map<string, TrustedFiles>();
  function trustedFor({ folders }: StartRequest['sources']): TrustedFiles {
    const folder = join(folders.data, 'trusted-files');
    const found = trusted.get(folder) ?? createTrustedFiles({ folder });
    trusted.set(folder, found);
    return found;
  }

  return async ({ rung, sources }) => {
    const sandbox = await sandboxFor(sources);
    const { environment } = sources;
    const start: StartCommand =
      rung === 'host'
        ? (command, takePipes) => startOnHost({ sandbox, environment }, command, takePipes)
        : (command, takePipes) => startInSandbox({ sandbox, pool }, command, takePipes);
    return guardStart(start, trustedFor(sources));
  };
}
