/** Which model a turn uses when nobody named one, and what there is to choose from. */
import type { ModelChoice } from '../contract/handrail.ts';
import { SetupFailure } from '../contract/failure.ts';
import type { Settings } from '../contract/settings.ts';
import type { LocalServer } from './find-local-servers.ts';

export type ModelSources = {
  readonly settings: Pick<Settings, 'models' | 'fallback' | 'defaultModel'>;
  /** HANDRAIL_MODEL; undefined or empty when unset. */
  readonly named: string | undefined;
  hasSecret(name: string): Promise<boolean>;
  findLocalServers(): Promise<readonly LocalServer[]>;
};

/** A good model of each provider to begin with; every name can be typed. */
const firstChoices: readonly (readonly [keyName: string, model: string])[] = [
  ['ANTHROPIC_API_KEY', 'anthropic/claude-sonnet-4-5'],
  ['OPENAI_API_KEY', 'openai/gpt-5'],
  ['GEMINI_API_KEY', 'gemini/gemini-2.5-pro'],
];

/** HANDRAIL_MODEL, then the settings, then the first provider with a key, then the first local server with a model. */
export async function chooseModel(sources: ModelSources): Promise<string | undefined> {
  const { settings, named } = sources;
  if (named !== undefined && named !== '') return named;
  if (settings.defaultModel !== undefined) return settings.defaultModel;
  if (settings.fallback[0] !== undefined) return settings.fallback[0];
  for (const each of settings.models) {
    const [first] = each.models ?? [];
    if (first !== undefined) return `${each.service}/${first}`;
  }
  for (const [keyName, model] of firstChoices) {
    if (await sources.hasSecret(keyName)) return model;
  }
  const [server] = (await sources.findLocalServers()).filter((each) => each.models.length > 0);
  return server === undefined ? undefined : `${server.service}/${server.models[0]}`;
}

export async function listModelChoices(sources: ModelSources): Promise<readonly ModelChoice[]> {
  const { settings, named } = sources;
  const choices: ModelChoice[] = [];
  if (named !== undefined && named !== '') choices.push({ id: named, source: 'HANDRAIL_MODEL' });
  for (const id of [settings.defaultModel, ...settings.fallback])
    if (id !== undefined) choices.push({ id, source: 'settings' });
  for (const each of settings.models)
    for (const model of each.models ?? []) choices.push({ id: `${each.service}/${model}`, source: 'settings' });
  for (const [keyName, id] of firstChoices) if (await sources.hasSecret(keyName)) choices.push({ id, source: keyName });
  for (const server of await sources.findLocalServers()) {
    for (const model of server.models)
      choices.push({ id: `${server.service}/${model}`, source: `${server.service} on this machine` });
  }
  return choices.filter((choice, at) => choices.findIndex((other) => other.id === choice.id) === at);
}

export function noModelFailure(): SetupFailure {
  return new SetupFailure(
    'No model is connected. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY (or `handrail secrets set ANTHROPIC_API_KEY`), or start Ollama, llama.cpp or LM Studio on this machine, or name one with --model service/model. `handrail demo` shows the program without any.',
  );
}
