/** Finds what stands behind the first part of a model's name: a service of the settings or one of the usual ones. */
import { MisuseFailure } from '../contract/failure.ts';
import type { ModelServiceSettings } from '../contract/settings.ts';
import { isDefaultBaseUrl, toEndpoint } from './base-url.ts';
import type { Dialect, Endpoint } from './base-url.ts';

export type Service = {
  readonly name: string;
  readonly dialect: Dialect;
  readonly endpoint: Endpoint;
  /** Secret that holds the key; undefined: none is sent. */
  readonly keyName: string | undefined;
  readonly isKeyRequired: boolean;
  /** Runs on the user's own machine, where models are small and windows short. */
  readonly isLocal: boolean;
  readonly settings: ModelServiceSettings | undefined;
};

type UsualService = {
  readonly dialect: Dialect;
  readonly keyName?: string;
  readonly baseUrlName?: string;
  readonly localPort?: number;
};

const usualServices: Readonly<Record<string, UsualService>> = {
  anthropic: { dialect: 'anthropic', keyName: 'ANTHROPIC_API_KEY', baseUrlName: 'ANTHROPIC_BASE_URL' },
  gemini: { dialect: 'gemini', keyName: 'GEMINI_API_KEY', baseUrlName: 'GEMINI_BASE_URL' },
  openai: { dialect: 'openai-responses', keyName: 'OPENAI_API_KEY', baseUrlName: 'OPENAI_BASE_URL' },
  'openai-chat': { dialect: 'openai-chat', keyName: 'OPENAI_API_KEY', baseUrlName: 'OPENAI_BASE_URL' },
  ollama: { dialect: 'openai-chat', localPort: 11434 },
  llamacpp: { dialect: 'openai-chat', localPort: 8080 },
  lmstudio: { dialect: 'openai-chat', localPort: 1234 },
};

export function findService(
  name: string,
  services: readonly ModelServiceSettings[],
  environment: Readonly<Record<string, string | undefined>>,
): Service {
  const settings = services.find((each) => each.service === name);
  const usual = Object.hasOwn(usualServices, name) ? usualServices[name] : undefined;
  if (!settings && !usual) {
    const known = [...new Set([...services.map((each) => each.service), ...Object.keys(usualServices)])].join(', ');
    throw new MisuseFailure(
      `There is no model service "${name.slice(0, 60)}". Use one of ${known}, or add it to "models" in settings.json.`,
    );
  }
  return settings ? fromSettings(settings, usual, environment) : fromUsual(name, usual as UsualService, environment);
}

function fromUsual(
  name: string,
  usual: UsualService,
  environment: Readonly<Record<string, string | undefined>>,
): Service {
  const fromEnvironment = usual.baseUrlName ? environment[usual.baseUrlName]?.trim() : undefined;
  const local = usual.localPort === undefined ? undefined : `http://127.0.0.1:${usual.localPort}/v1`;
  const endpoint = toEndpoint(usual.dialect, fromEnvironment || local, usual.baseUrlName ?? name);
  return {
    name,
    dialect: usual.dialect,
    endpoint,
    keyName: usual.keyName,
    isKeyRequired:
      usual.keyName !== undefined &&
      (usual.dialect !== 'openai-chat' || isDefaultBaseUrl(usual.dialect, endpoint.baseUrl)),
    isLocal: usual.localPort !== undefined,
    settings: undefined,
  };
}

/** A key is sent to an address of the settings only when the settings name it: OPENAI_API_KEY must not reach any other host. */
function fromSettings(
  settings: ModelServiceSettings,
  usual: UsualService | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Service {
  const isSameDialect = usual?.dialect === settings.dialect;
  const base = isSameDialect && !settings.baseUrl ? fromUsual(settings.service, usual, environment) : undefined;
  const endpoint =
    base?.endpoint ?? toEndpoint(settings.dialect, settings.baseUrl, `settings.json, models, "${settings.service}"`);
  const isPublic = isDefaultBaseUrl(settings.dialect, endpoint.baseUrl);
  const keyName = settings.keyName ?? base?.keyName ?? (isPublic ? publicKeyName(settings.dialect) : undefined);
  return {
    name: settings.service,
    dialect: settings.dialect,
    endpoint,
    keyName,
    isKeyRequired: settings.keyName !== undefined || isPublic || (base?.isKeyRequired ?? false),
    isLocal: base?.isLocal ?? (usual?.localPort !== undefined && isSameDialect),
    settings,
  };
}

function publicKeyName(dialect: Dialect): string | undefined {
  return Object.values(usualServices).find((each) => each.dialect === dialect && each.keyName)?.keyName;
}
