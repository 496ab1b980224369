/** The variables by which programs inside a sandbox find the proxy, and the package managers their registries. */
import { insidePort, insideProxy } from './inside-places.ts';

/**
 * Most programs look for one of the two cases only. Names are looked up by the proxy (socks5h), since there is no resolver
 * inside; what a program serves inside its sandbox is reached without it.
 */
export function programEnvironment(registries: Readonly<Record<string, string>>): Record<string, string> {
  const socks = `socks5h://127.0.0.1:${insidePort}`;
  const own = 'localhost,127.0.0.1,::1';
  return {
    HTTP_PROXY: insideProxy,
    http_proxy: insideProxy,
    HTTPS_PROXY: insideProxy,
    https_proxy: insideProxy,
    ALL_PROXY: socks,
    all_proxy: socks,
    NO_PROXY: own,
    no_proxy: own,
    // Node 24: fetch and http honour the variables above.
    NODE_USE_ENV_PROXY: '1',
    ...registries,
  };
}
