/** Hosts and addresses in rules: `host`, `*.host`, `host:port`, or an address with a path such as `https://host/path/*`. */
import { matchesWord } from './read-command/match-rule.ts';

type UrlAccess = { readonly url: string; readonly method: string; readonly host: string };

/**
 * `example.org` covers its subdomains, as allow and block lists of browsers do; `*.example.org` only those.
 * `touches`: as a prohibition reads it, so what cannot be seen (the path of a tunnel) may be what is forbidden.
 */
export function matchesUrl(access: UrlAccess, pattern: string, reading: 'covers' | 'touches'): boolean {
  const parts = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/]+)(\/.*)?$/is.exec(pattern.trim());
  const [, scheme, authority, path] = parts ?? [];
  if (authority === undefined || (path !== undefined && scheme === undefined)) return false;
  if (!URL.canParse(access.url)) return false;
  const url = new URL(access.url);
  if (!matchesAuthority(url, authority, reading)) return false;
  const isTunnel = access.method === 'CONNECT';
  // Of a tunnel neither is known: its address says https whatever goes through it.
  if (isTunnel) return reading === 'touches' || path === undefined || path === '/' || path === '/*' || path === '/**';
  if (scheme !== undefined && `${scheme.toLowerCase()}:` !== url.protocol) return false;
  if (path === undefined || path === '/') return true;
  const wanted = path.replaceAll('**', '*');
  return matchesWord(url.pathname, wanted) || matchesWord(url.pathname + url.search, wanted);
}

function matchesAuthority(url: URL, authority: string, reading: 'covers' | 'touches'): boolean {
  if (authority === '*') return reading === 'touches';
  const isBelow = authority.startsWith('*.');
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/s.exec(withBrackets(isBelow ? authority.slice(2) : authority)) ?? [];
  if (port !== undefined && Number(port) !== portOf(url)) return false;
  const wanted = canonical(name);
  if (wanted === undefined) return false;
  const host = url.hostname.replace(/\.$/, '');
  return host.endsWith(`.${wanted}`) || (!isBelow && host === wanted);
}

/** An IPv6 address may be written without them where no port follows. */
const withBrackets = (authority: string): string =>
  authority.split(':').length > 2 && !authority.startsWith('[') ? `[${authority}]` : authority;

/** As an address writes it: small letters, Punycode, one form of each IP address. Undefined: no host's name. */
function canonical(name: string): string | undefined {
  const address = `http://${name.replace(/\.$/, '')}/`;
  if (/[\s@?#\\]/.test(name) || !URL.canParse(address)) return undefined;
  return new URL(address).hostname;
}

const usualPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'ws:': 80, 'wss:': 443, 'ftp:': 21 };
const portOf = ({ port, protocol }: URL): number | undefined => (port === '' ? usualPorts[protocol] : Number(port));
