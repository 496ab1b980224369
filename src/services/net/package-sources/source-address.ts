/** One place that packages come from, as configuration files write it, freed of what must not go on: credentials. */

/** Undefined for what is no web address (a folder, a socket), and for text that still waits for a variable. */
export function readSource(text: string): URL | undefined {
  const bare = text.trim().replace(/^(?:sparse|registry|mirror|git)\+/, '');
  if (/[$\s{]/.test(bare) || !URL.canParse(bare)) return undefined;
  const url = new URL(bare);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.username = '';
  url.password = '';
  // Keys are also given as a query.
  url.search = '';
  url.hash = '';
  return url;
}

/** As a pattern of hosts: with its port only where that is not the usual one, since http addresses lead on to https. */
export const hostPatternOf = (url: URL): string => url.host;
