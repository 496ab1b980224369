/** Reads which host and port somebody wants, so that every spelling of one host becomes the same text. */
import { isIPv4, isIPv6 } from 'node:net';
import { canonicalAddress } from './address-class.ts';

export type Target = {
  /** Lower case, ASCII, no dot at its end; an address in its one canonical form, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly isAddress: boolean;
};

/** What is wrong with a text that names no host; for whoever wrote it. */
export type TargetProblem = { readonly problem: string };

const maxHostChars = 253;

/** Octal, hex, whole-number and short IPv4 forms are read as inet_aton(3) and browsers do, then judged as what they mean. */
export function readTarget(hostText: string, port: number): Target | TargetProblem {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return { problem: 'the port is no number from 1 to 65535' };
  const bare = hostText.startsWith('[') && hostText.endsWith(']') ? hostText.slice(1, -1) : hostText;
  if (bare.includes(':')) {
    if (!isIPv6(bare) || bare.includes('%')) return { problem: 'it is no IPv6 address that can be reached' };
    return { host: canonicalAddress(bare), port, isAddress: true };
  }
  if (bare !== hostText || bare === '' || bare.length > maxHostChars + 1) return { problem: 'it is no host name' };
  // What a URL would take for something else than a host, and escapes that a later reader could undo.
  if (/[\0-\x20\x7f%@/\\?#<>^|"`{}[\]]/.test(bare)) return { problem: 'it holds characters that no host name has' };
  const host = asUrlReads(bare);
  if (host === undefined) return { problem: 'it is no host name and no address' };
  if (isIPv4(host)) return { host, port, isAddress: true };
  if (!isName(host)) return { problem: 'it is no host name' };
  return { host, port, isAddress: false };
}

/** `host:port`, `[v6]:port`; a missing port is `defaultPort`, and without that a problem. */
export function readAuthority(text: string, defaultPort?: number): Target | TargetProblem {
  const match = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d{1,5}))?$/.exec(text);
  if (match === null) return { problem: 'it is not written as host:port' };
  const port = match[2] === undefined ? defaultPort : Number(match[2]);
  return port === undefined ? { problem: 'it names no port' } : readTarget(match[1] ?? '', port);
}

export const isProblem = (read: Target | TargetProblem): read is TargetProblem => 'problem' in read;

/** As people write it, with brackets where they are needed. */
export function describeTarget({ host, port }: Pick<Target, 'host' | 'port'>): string {
  return `${bracketed(host)}:${port}`;
}

export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** WHATWG URL: lower case, punycode, full-width digits and dots, and the IPv4 forms. */
function asUrlReads(text: string): string | undefined {
  if (!URL.canParse(`http://${text}/`)) return undefined;
  return new URL(`http://${text}/`).hostname.replace(/\.$/, '');
}

function isName(host: string): boolean {
  return host.length <= maxHostChars && host.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label));
}
