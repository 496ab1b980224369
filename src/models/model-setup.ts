/** Which services of models there are: of the settings, of keys that are there, found on this machine. */
import { MisuseFailure } from '../contract/failure.ts';
import type { ConnectedService, FoundModelServer, ModelSetup } from '../contract/model-setup.ts';
import type { ModelServiceSettings } from '../contract/settings.ts';
import { findService } from './find-service.ts';

export type SetupSources = {
  readonly services: readonly ModelServiceSettings[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  hasSecret(name: string): Promise<boolean>;
  findLocalServers(): Promise<readonly FoundModelServer[]>;
};

/** Services that are there as soon as their key is. */
const keyed = ['anthropic', 'openai', 'gemini'] as const;

export async function describeSetup(sources: SetupSources): Promise<ModelSetup> {
  const local = await sources.findLocalServers();
  const names: (readonly [name: string, source: ConnectedService['source']])[] = [
    ...sources.services.map(({ service }) => [service, 'settings'] as const),
    ...keyed.map((name) => [name, 'key'] as const),
    ...local.map(({ service }) => [service, 'machine'] as const),
  ];
  const first = names.filter(([name], at) => names.findIndex(([other]) => other === name) === at);
  const services = await Promise.all(first.map(([name, source]) => describe(name, source, sources)));
  return {
    services: services.filter((each) => each !== undefined).filter((each) => each.source !== 'key' || each.hasKey),
    local,
  };
}

/** Undefined: its address in the settings cannot be used, which the models of it tell. */
async function describe(
  name: string,
  source: ConnectedService['source'],
  { services, environment, hasSecret }: SetupSources,
): Promise<ConnectedService | undefined> {
  try {
    const { dialect, endpoint, keyName, isLocal } = findService(name, services, environment);
    const hasKey = keyName !== undefined && (await hasSecret(keyName));
    return {
      name,
      dialect,
      host: endpoint.host,
      hasKey,
      isLocal,
      source,
      ...(keyName === undefined ? {} : { keyName }),
    };
  } catch (error) {
    if (error instanceof MisuseFailure) return undefined;
    throw error;
  }
}
