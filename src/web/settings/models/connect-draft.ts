/** What the form of a new model holds, and what it means for the settings. */
import type { ModelTrial } from '../../../contract/model-setup.ts';
import type { ModelServiceSettings } from '../../../contract/settings.ts';

/** Of them all, the one that most services speak comes first. */
export const kinds = ['compatible', 'anthropic', 'openai', 'gemini'] as const;
export type Kind = (typeof kinds)[number];

export type Draft = {
  readonly kind: Kind;
  readonly model: string;
  readonly baseUrl: string;
  readonly key: string;
};

export const emptyDraft: Draft = { kind: 'compatible', model: '', baseUrl: '', key: '' };

const dialects = {
  compatible: 'openai-chat',
  anthropic: 'anthropic',
  openai: 'openai-responses',
  gemini: 'gemini',
} as const;

/** To begin with; the user may know a newer one. */
export const exampleModels: Readonly<Record<Kind, string>> = {
  compatible: 'mistral-medium-latest',
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-5',
  gemini: 'gemini-2.5-pro',
};

export type NewModel = {
  /** `service/model`. */
  readonly id: string;
  /** Omitted: the service is one that needs no entry in the settings. */
  readonly service?: ModelServiceSettings;
  /** Name of the secret that the key is kept under. */
  readonly keyName: string;
  /** The service stands in the settings with this address: its kept key goes there already. */
  readonly isConnected: boolean;
};

/** Undefined while something is missing. `taken`: services of the settings. */
export function newModelOf(draft: Draft, taken: readonly ModelServiceSettings[]): NewModel | undefined {
  const model = draft.model.trim();
  if (model === '') return undefined;
  if (draft.kind !== 'compatible')
    return { id: `${draft.kind}/${model}`, keyName: `${draft.kind.toUpperCase()}_API_KEY`, isConnected: true };
  const baseUrl = draft.baseUrl.trim();
  if (!/^https?:\/\/[^/]/.test(baseUrl) || !URL.canParse(baseUrl)) return undefined;
  const known = taken.find((each) => each.baseUrl === baseUrl && each.dialect === 'openai-chat');
  const service = known?.service ?? freeName(new URL(baseUrl), taken);
  const keyName = known?.keyName ?? `${service.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_API_KEY`;
  const models = [...new Set([...(known?.models ?? []), model])];
  const withKey = draft.key.trim() !== '' || known?.keyName !== undefined;
  return {
    id: `${service}/${model}`,
    keyName,
    isConnected: known !== undefined,
    service: { ...known, service, dialect: 'openai-chat', baseUrl, models, ...(withKey ? { keyName } : {}) },
  };
}

/** With the key from the form; without one a provider is asked with the key that is kept. */
export function trialOf(draft: Draft, { id, service, keyName, isConnected }: NewModel): ModelTrial {
  const key = draft.key.trim();
  if (key === '' && isConnected) return { model: id };
  const provider = { service: draft.kind, dialect: dialects[draft.kind], keyName };
  const tried = service === undefined ? provider : withoutModels(service);
  return { model: id, service: tried, ...(key === '' ? {} : { key }) };
}

function withoutModels({
  service,
  dialect,
  baseUrl,
  keyName,
  contextWindow,
}: ModelServiceSettings): ModelServiceSettings {
  return {
    ...{ service, dialect },
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(keyName === undefined ? {} : { keyName }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
  };
}

/** "mistral" of `https://api.mistral.ai/v1`: the part of the host that people know it by. */
function freeName({ hostname }: URL, taken: readonly ModelServiceSettings[]): string {
  const parts = hostname.split('.').filter((part) => !['api', 'www'].includes(part));
  const isAddress = /^[\d.:[\]]+$/.test(hostname) || hostname === 'localhost';
  const base = isAddress ? 'local' : (parts.at(-2) ?? parts[0] ?? 'service').toLowerCase();
  const used = new Set([...taken.map(({ service }) => service), ...usual]);
  for (let at = 1; ; at += 1) {
    const name = at === 1 ? base : `${base}-${at}`;
    if (!used.has(name)) return name;
  }
}

/** Names with a meaning of their own. */
const usual = ['anthropic', 'gemini', 'openai', 'openai-chat', 'ollama', 'llamacpp', 'lmstudio', 'demo'];
