/** All models by name, with retry, and the one to use when nobody named one. */
import { once } from '../base/once.ts';
import type { ModelChoice } from '../contract/handrail.ts';
import { MisuseFailure } from '../contract/failure.ts';
import type { ModelClient, ModelInfo } from '../contract/model.ts';
import type { Settings } from '../contract/settings.ts';
import { chooseModel, listModelChoices, noModelFailure } from './choose-model.ts';
import { createModelClient } from './create-model-client.ts';
import { findLocalServers } from './find-local-servers.ts';
import { withRetry } from './with-retry.ts';

export type ModelSourceOptions = {
  readonly settings: Pick<Settings, 'models' | 'fallback' | 'defaultModel' | 'limits'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readSecret(name: string): Promise<string | undefined>;
};

export type ModelSource = {
  /** Rejects with SetupFailure when none is named and none found, with MisuseFailure for a name that cannot work. */
  client(name: string | undefined): Promise<ModelClient>;
  /** Undefined when none is named and none found. */
  info(name: string | undefined): Promise<ModelInfo | undefined>;
  choices(): Promise<readonly ModelChoice[]>;
};

export function createModelSource(options: ModelSourceOptions): ModelSource {
  const { settings, environment, readSecret } = options;
  const clients = new Map<string, ModelClient>();
  const sources = {
    settings,
    named: environment['HANDRAIL_MODEL'],
    hasSecret: async (name: string) => (await readSecret(name)) !== undefined,
    findLocalServers: () => findLocalServers(),
  };
  const chosen = once(() => chooseModel(sources));

  async function find(name: string | undefined): Promise<ModelClient | undefined> {
    const model = name ?? (await chosen());
    if (model === undefined) return undefined;
    const known = clients.get(model) ?? (await make(model));
    clients.set(model, known);
    return known;
  }

  async function make(model: string): Promise<ModelClient> {
    if (model === 'demo/script') return (await import('./demo/demo-model.ts')).createDemoModel();
    const client = createModelClient({ model, services: settings.models, environment, readSecret });
    return withRetry(client, { retries: settings.limits.modelRetries });
  }

  return {
    async client(name) {
      if (name?.trim() === '')
        throw new MisuseFailure(
          '--model is empty. Name one as service/model, for example anthropic/claude-sonnet-4-5.',
        );
      const client = await find(name);
      if (client === undefined) throw noModelFailure();
      return client;
    },
    info: async (name) => (await find(name))?.info,
    choices: () => listModelChoices(sources),
  };
}
