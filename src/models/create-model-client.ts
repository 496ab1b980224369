/** Makes the client of one model from its name: finds the service, the key and the dialect; loads an SDK on the first request. */
import { ModelFailure } from '../contract/failure.ts';
import type { ModelClient } from '../contract/model.ts';
import type { ModelServiceSettings, Settings } from '../contract/settings.ts';
import type { Dialect } from './base-url.ts';
import { describeModel } from './catalogue.ts';
import type { Asked } from './classify-error.ts';
import type { Connected, DialectModule } from './dialect.ts';
import { findService } from './find-service.ts';
import type { Service } from './find-service.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { parseModelName } from './model-name.ts';
import { newCallId } from './new-call-id.ts';
import { createPatientFetch, patienceOf } from './patient-fetch.ts';
import type { Patience } from './patient-fetch.ts';
import { streamModel } from './stream-model.ts';
import { createCallIds } from './pair-calls.ts';
import { createPromptConverter } from './to-prompt.ts';

export type ModelClientOptions = {
  /** `service/model`. */
  readonly model: string;
  /** `models` of the settings. Omitted: none. */
  readonly services?: readonly ModelServiceSettings[];
  /** `prices` of the settings. Omitted: the catalogue's. */
  readonly prices?: Settings['prices'];
  /** Where base URLs are looked up; keys are not. Omitted: empty. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The value of a key by its name; undefined when there is none. Asked before each request, so that a new key counts at once. */
  readSecret(name: string): Promise<string | undefined>;
  readonly fetch?: typeof globalThis.fetch;
  /** Omitted: the usual. */
  readonly patience?: Patience;
  readonly newId?: () => string;
  readonly now?: () => number;
};

const dialects: Readonly<Record<Dialect, () => Promise<DialectModule>>> = {
  'openai-chat': () => import('./openai-chat/openai-chat.ts'),
  'openai-responses': () => import('./openai-responses/openai-responses.ts'),
  anthropic: () => import('./anthropic/anthropic.ts'),
  gemini: () => import('./gemini/gemini.ts'),
};

/** Throws MisuseFailure for a name or base URL that cannot work; whatever needs the network or a key fails in `stream`. */
export function createModelClient(options: ModelClientOptions): ModelClient {
  const { service: serviceName, modelId } = parseModelName(options.model);
  const service = findService(serviceName, options.services ?? [], options.environment ?? {});
  const info = describeModel({
    id: `${serviceName}/${modelId}`,
    modelId,
    isLocal: service.isLocal,
    ...(service.settings && { settings: service.settings }),
    ...(options.prices && { prices: options.prices }),
  });
  const { patience = patienceOf() } = options;
  const connect = createConnector({ options, service, modelId, info, patience });
  return {
    info,
    stream: (request, signal) =>
      streamModel({ request, signal, connect, info, newId: options.newId ?? newCallId, patience }),
  };
}

/** Opens the dialect's model once per key. */
function createConnector(parts: {
  readonly options: ModelClientOptions;
  readonly service: Service;
  readonly modelId: string;
  readonly info: ModelClient['info'];
  readonly patience: Patience;
}): () => Promise<Connected> {
  const { options, service, modelId, info, patience } = parts;
  let last: { readonly key: string | undefined; readonly connected: Connected } | undefined;
  return async () => {
    const key = await readKey(service, options.readSecret);
    if (last && last.key === key) return last.connected;
    const dialect = await dialects[service.dialect]();
    const { rules } = dialect;
    const { endpoint, name, keyName } = service;
    const asked: Asked = { service: name, modelId, host: endpoint.host, keyName, key };
    const fetch = createGuardedFetch({
      asked,
      readError: rules.readError,
      search: endpoint.search,
      fetch: createPatientFetch(options.fetch ?? globalThis.fetch, asked, patience),
      now: options.now ?? Date.now,
    });
    const open = await dialect.open({ modelId, info, baseUrl: endpoint.baseUrl, key, fetch });
    const history = last?.connected ?? {
      toPrompt: createPromptConverter({ ...rules.prompt, model: info.id, acceptsImages: info.acceptsImages }),
      callIds: createCallIds(),
    };
    last = { key, connected: { asked, rules, open, toPrompt: history.toPrompt, callIds: history.callIds } };
    return last.connected;
  };
}

async function readKey(service: Service, readSecret: ModelClientOptions['readSecret']): Promise<string | undefined> {
  if (!service.keyName) return undefined;
  const key = (await readSecret(service.keyName))?.trim();
  if (!key) {
    if (!service.isKeyRequired) return undefined;
    throw new ModelFailure(
      'auth',
      `There is no key for ${service.name}. Set ${service.keyName} in the environment, or store it with \`handrail secrets set ${service.keyName}\`.`,
    );
  }
  // The platform's error for an illegal header quotes the header's value, that is the key.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new ModelFailure(
      'auth',
      `The key in ${service.keyName} holds characters that no key has (spaces, line breaks or letters outside ASCII). Store it again with \`handrail secrets set ${service.keyName}\`.`,
    );
  }
  return key;
}
