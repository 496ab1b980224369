/** Turns a base URL as people write it for other programs into the one that a dialect's paths are appended to. */
import { MisuseFailure } from '../contract/failure.ts';
import type { ModelServiceSettings } from '../contract/settings.ts';

export type Dialect = ModelServiceSettings['dialect'];

export type Endpoint = {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** `?…` that the user's URL carried, for gateways that want one on each request; else empty. */
  readonly search: string;
  /** Host and port, for messages. */
  readonly host: string;
};

const defaultBaseUrls: Readonly<Record<Dialect, string>> = {
  'openai-chat': 'https://api.openai.com/v1',
  'openai-responses': 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta',
};

/** What programs append on their own, by dialect. For OpenAI the variable's convention already includes `/v1`. */
const versionPaths: Readonly<Partial<Record<Dialect, string>>> = { anthropic: '/v1', gemini: '/v1beta' };

export function toEndpoint(dialect: Dialect, baseUrl: string | undefined, origin: string): Endpoint {
  const text = baseUrl?.trim() || defaultBaseUrls[dialect];
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new MisuseFailure(
      `The base URL in ${origin} is not a web address. Write it whole, for example ${defaultBaseUrls[dialect]}.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new MisuseFailure(
      `The base URL in ${origin} holds a user name or password, which cannot be sent that way. Remove it and set the key with \`handrail secrets set\`.`,
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  const version = versionPaths[dialect];
  const isVersioned = !version || /\/v\d+[a-z0-9]*$/.test(path);
  return { baseUrl: `${url.origin}${path}${isVersioned ? '' : version}`, search: url.search, host: url.host };
}

export function isDefaultBaseUrl(dialect: Dialect, baseUrl: string): boolean {
  return baseUrl === defaultBaseUrls[dialect];
}
