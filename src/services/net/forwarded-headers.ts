/** Which header fields a proxy passes on: all but those that speak to the proxy itself (RFC 9110, 7.6.1). */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** An upgrade is never passed on: after it nobody would know what the connection carries. Whoever wants one takes a tunnel. */
const hopByHop = new Set([
  'connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer',
  'transfer-encoding', 'upgrade', 'http2-settings', 'expect', 'host',
]); // prettier-ignore

/** `body`: the fields of a request that has one; it is then framed as it came. The names keep their letters, repeated ones their order. */
export function forwardedHeaders(rawHeaders: readonly string[], body?: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = new Set(hopByHop);
  for (const [name, value] of pairs(rawHeaders)) {
    if (name.toLowerCase() === 'connection') for (const each of value.split(',')) named.add(each.trim().toLowerCase());
  }
  const kept = new Map<string, { name: string; values: string[] }>();
  for (const [name, value] of pairs(rawHeaders)) {
    const key = name.toLowerCase();
    // How long a body is can be said only once (RFC 9112, 6.3).
    if (named.has(key) && key !== 'content-length') continue;
    const known = kept.get(key);
    if (known === undefined) kept.set(key, { name, values: [value] });
    else if (key !== 'content-length') known.values.push(value);
  }
  const headers: OutgoingHttpHeaders = {};
  for (const { name, values } of kept.values()) headers[name] = values.length === 1 ? values[0] : values;
  if (body?.['transfer-encoding'] !== undefined) headers['Transfer-Encoding'] = 'chunked';
  return headers;
}

/** RFC 9112, 6.3: one of the two says that something follows. */
export function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || request.headers['content-length'] !== undefined;
}

function* pairs(rawHeaders: readonly string[]): Generator<[string, string]> {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) yield [rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''];
}
