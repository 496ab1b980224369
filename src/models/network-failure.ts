/** Says in plain words why a server could not be reached, with host and port and what to try. */
import { ModelFailure } from '../contract/failure.ts';
import type { Asked } from './classify-error.ts';

type Advice = { readonly what: string; readonly hint: string; readonly isFinal?: boolean };

const advices: Readonly<Record<string, Advice>> = {
  ECONNREFUSED: { what: 'nothing listens there', hint: 'Start the server, or correct the base URL.' },
  ENOTFOUND: { what: 'the name is unknown', hint: 'Check the base URL and the network connection.' },
  EAI_AGAIN: { what: 'the name could not be looked up', hint: 'Check the network connection.' },
  ECONNRESET: { what: 'the connection was cut', hint: 'Try again.' },
  EPIPE: { what: 'the connection was cut', hint: 'Try again.' },
  UND_ERR_SOCKET: { what: 'the connection was cut', hint: 'Try again.' },
  ETIMEDOUT: { what: 'it did not answer in time', hint: 'Check the network connection.' },
  UND_ERR_CONNECT_TIMEOUT: { what: 'it did not answer in time', hint: 'Check the network connection.' },
  UND_ERR_HEADERS_TIMEOUT: { what: 'it took the request and said nothing for minutes', hint: 'Try a smaller model.' },
  UND_ERR_BODY_TIMEOUT: { what: 'it fell silent in the middle of its answer', hint: 'Try again.' },
  EHOSTUNREACH: { what: 'there is no way to that machine', hint: 'Check the network connection.' },
  ENETUNREACH: { what: 'there is no way to that network', hint: 'Check the network connection.' },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    what: 'it does not speak TLS on that port',
    hint: 'Write http:// instead of https:// in the base URL.',
    isFinal: true,
  },
  HPE_INVALID_CONSTANT: {
    what: 'it does not speak HTTP on that port',
    hint: 'Check the port and http:// or https:// in the base URL.',
    isFinal: true,
  },
};
const certificateShape = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ERR_TLS/;
const certificateAdvice: Advice = {
  what: 'its TLS certificate is not trusted',
  hint: 'Name the certificate of your own authority in NODE_EXTRA_CA_CERTS, or correct the base URL.',
  isFinal: true,
};

export function toNetworkFailure(error: unknown, asked: Asked): ModelFailure {
  const code = findCode(error);
  const advice = code ? (advices[code] ?? (certificateShape.test(code) ? certificateAdvice : undefined)) : undefined;
  const what = advice?.what ?? 'the connection failed';
  const hint = advice?.hint ?? 'Check the base URL and the network connection.';
  return new ModelFailure(
    'network',
    `${asked.service} at ${asked.host} cannot be reached: ${what}${code ? ` (${code})` : ''}. ${hint}`,
    { retryable: !advice?.isFinal },
  );
}

/** The first system error code in a chain of causes. */
export function findCode(error: unknown): string | undefined {
  for (let depth = 0, current = error; depth < 8 && current instanceof Error; depth++, current = current.cause) {
    if ('code' in current && typeof current.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(current.code)) {
      return current.code;
    }
    if (current instanceof AggregateError && current.errors.length > 0) {
      const inner = findCode(current.errors[0]);
      if (inner) return inner;
    }
  }
  return undefined;
}
