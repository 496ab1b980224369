/** Hosts and addresses in rules, as people write them into settings. */
import { describe, expect, it } from 'vitest';
import { matchesUrl } from './match-host.ts';

const get = (url: string) => ({ url, method: 'GET', host: new URL(url).hostname });
const tunnel = (url: string) => ({ ...get(url), method: 'CONNECT' });

describe('a host in a rule', () => {
  it.each([
    ['example.org', 'https://example.org/', true],
    ['example.org', 'https://a.b.example.org/', true],
    ['example.org', 'https://badexample.org/', false],
    ['example.org', 'https://example.org.evil.example/', false],
    ['*.example.org', 'https://a.example.org/', true],
    ['*.example.org', 'https://example.org/', false],
    ['EXAMPLE.org', 'https://example.ORG/', true],
    ['example.org.', 'https://example.org/', true],
    ['example.org', 'https://example.org./', true],
    // Ports.
    ['example.org:8443', 'https://example.org:8443/', true],
    ['example.org:8443', 'https://example.org/', false],
    ['example.org:443', 'https://example.org/', true],
    ['example.org:80', 'http://example.org/', true],
    ['example.org:80', 'https://example.org/', false],
    ['example.org', 'https://example.org:8443/', true],
    // Other spellings of the same.
    ['bücher.example', 'https://xn--bcher-kva.example/', true],
    ['xn--bcher-kva.example', 'https://bücher.example/', true],
    ['127.0.0.1', 'http://2130706433/', true],
    ['127.0.0.1:8080', 'http://0x7f.1:8080/', true],
    ['::1', 'http://[::1]/', true],
    ['[::1]:8080', 'http://[0:0:0:0:0:0:0:1]:8080/', true],
    ['[::1]:8080', 'http://[::1]/', false],
    // What is no host names none.
    ['git status', 'https://git/', false],
    ['/etc/**', 'https://etc/', false],
    ['', 'https://example.org/', false],
    ['user@example.org', 'https://example.org/', false],
  ])('%s and %s: %s', (pattern, url, expected) => {
    for (const access of [get(url), tunnel(url)]) {
      expect(matchesUrl(access, pattern, 'covers')).toBe(expected);
      expect(matchesUrl(access, pattern, 'touches')).toBe(expected);
    }
  });

  it('a star alone forbids every host, and allows none', () => {
    expect(matchesUrl(get('https://example.org/'), '*', 'touches')).toBe(true);
    expect(matchesUrl(get('https://example.org/'), '*', 'covers')).toBe(false);
  });
});

describe('an address in a rule', () => {
  it.each([
    ['https://example.org', 'https://example.org/a/b', true],
    ['https://example.org/', 'https://example.org/a/b', true],
    ['https://example.org/docs/*', 'https://example.org/docs/a/b', true],
    ['https://example.org/docs/**', 'https://example.org/docs/a?q=1', true],
    ['https://example.org/docs/*', 'https://example.org/other', false],
    ['https://example.org/docs/*', 'http://example.org/docs/a', false],
    ['https://example.org:8443/*', 'https://example.org:8443/a', true],
    ['https://example.org/docs', 'https://example.org/docs/a', false],
    ['ftp://example.org', 'https://example.org/', false],
  ])('%s and %s: %s', (pattern, url, expected) => {
    expect(matchesUrl(get(url), pattern, 'covers')).toBe(expected);
    expect(matchesUrl(get(url), pattern, 'touches')).toBe(expected);
  });

  it('of a tunnel the path is not known: it may be the forbidden one, and is never the allowed one', () => {
    const access = tunnel('https://example.org/');
    expect(matchesUrl(access, 'https://example.org/secret/*', 'touches')).toBe(true);
    expect(matchesUrl(access, 'https://example.org/docs/*', 'covers')).toBe(false);
    expect(matchesUrl(access, 'https://example.org/*', 'covers')).toBe(true);
  });
});
