/** All models by name, each with its retries and those to fall back on, and the one to use when nobody named one. */
import { once } from '../base/once.ts';
import type { ModelChoice } from '../contract/handrail.ts';
import { MisuseFailure, ModelFailure } from '../contract/failure.ts';
import type { ModelClient, ModelInfo } from '../contract/model.ts';
import type { ModelSetup, ModelTrial, ModelTrialResult } from '../contract/model-setup.ts';
import type { ModelServiceSettings, Settings } from '../contract/settings.ts';
import { describeModel } from './catalogue.ts';
import { chooseModel, listModelChoices, noModelFailure } from './choose-model.ts';
import { isDefaultBaseUrl } from './base-url.ts';
import { createModelClient } from './create-model-client.ts';
import { findService } from './find-service.ts';
import { createFallbackChain } from './fallback-chain.ts';
import { findLocalServers } from './find-local-servers.ts';
import { patienceOf } from './patient-fetch.ts';
import { withRetry } from './with-retry.ts';

const demoName = 'demo/script';

export type ModelSourceOptions = {
  readonly settings: Pick<Settings, 'models' | 'fallback' | 'defaultModel' | 'limits' | 'prices'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readSecret(name: string): Promise<string | undefined>;
};

export type ModelSource = {
  /**
   * For one turn, with the models of `fallback` behind it. Rejects with SetupFailure when none is named and none found, with
   * MisuseFailure for a name that cannot work.
   */
  client(name: string | undefined): Promise<ModelClient>;
  /** Undefined when none is named and none found. */
  info(name: string | undefined): Promise<ModelInfo | undefined>;
  choices(): Promise<readonly ModelChoice[]>;
  setup(): Promise<ModelSetup>;
  /** Never rejects. */
  tryOut(trial: ModelTrial): Promise<ModelTrialResult>;
};

export function createModelSource(options: ModelSourceOptions): ModelSource {
  const { settings, environment, readSecret } = options;
  const patience = patienceOf(settings.limits.modelIdleSeconds);
  const known = { services: settings.models, prices: settings.prices, environment, readSecret, patience };
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
    return model === undefined ? undefined : clientOf(model);
  }

  async function clientOf(model: string): Promise<ModelClient> {
    const known = clients.get(model) ?? (await make(model));
    clients.set(model, known);
    return known;
  }

  async function make(model: string): Promise<ModelClient> {
    if (model === demoName) return (await import('./demo/demo-model.ts')).createDemoModel();
    const client = createModelClient({ model, ...known });
    const calling = client.info.hasNativeCalls ? client : await markersFor(client);
    return withRetry(calling, { retries: settings.limits.modelRetries });
  }

  /** A name in the settings that cannot work is no reason to refuse the turn: it is told when its place in the order comes. */
  async function fallbackOf(model: string): Promise<ModelClient> {
    try {
      return await clientOf(model);
    } catch (error) {
      if (!(error instanceof MisuseFailure)) throw error;
      return unusableClient(model, error.message);
    }
  }

  /** What is kept goes to no address that nobody has confirmed: only to the provider whose key it is. */
  function unsaved(service: ModelServiceSettings, key: string | undefined) {
    const { dialect, endpoint } = findService(service.service, [service], {});
    const isProvider = isDefaultBaseUrl(dialect, endpoint.baseUrl);
    const readKey = async (name: string) => key ?? (isProvider ? readSecret(name) : undefined);
    return { ...known, services: [service], environment: {}, readSecret: readKey };
  }

  async function describeChoice(model: string): Promise<Pick<ModelChoice, 'info' | 'problem'>> {
    try {
      return { info: (await clientOf(model)).info };
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) };
    }
  }

  return {
    async client(name) {
      if (name?.trim() === '')
        throw new MisuseFailure(
          '--model is empty. Name one as service/model, for example anthropic/claude-sonnet-4-5.',
        );
      const client = await find(name);
      if (client === undefined) throw noModelFailure();
      const { id } = client.info;
      // The demonstration is a script: no model could take its part.
      const others = id === demoName ? [] : settings.fallback.filter((other) => other.trim() !== id);
      return createFallbackChain([client, ...(await Promise.all([...new Set(others)].map(fallbackOf)))]);
    },
    info: async (name) => (await find(name))?.info,
    async setup() {
      const { describeSetup } = await import('./model-setup.ts');
      const { hasSecret } = sources;
      return describeSetup({
        services: settings.models,
        environment,
        hasSecret,
        findLocalServers: () => findLocalServers(),
      });
    },
    async tryOut({ model, service, key }) {
      const { tryModel } = await import('./try-model.ts');
      return tryModel(() =>
        createModelClient({ model: model.trim(), ...(service === undefined ? known : unsaved(service, key)) }),
      );
    },
    choices: async () =>
      Promise.all(
        (await listModelChoices(sources)).map(async (choice) => ({ ...choice, ...(await describeChoice(choice.id)) })),
      ),
  };
}

async function markersFor(client: ModelClient): Promise<ModelClient> {
  return (await import('./text-markers/with-text-markers.ts')).withTextMarkers(client);
}

function unusableClient(model: string, reason: string): ModelClient {
  return {
    info: describeModel({ id: model, modelId: model, isLocal: false }),
    // oxlint-disable-next-line require-yield -- it never has anything to say
    async *stream() {
      throw new ModelFailure('unknown_model', reason);
    },
  };
}
