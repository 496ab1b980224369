/** Under which names and addresses the server answers: everything else may be a name that an attacker's DNS points here. */
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

export type AllowedPlaces = {
  /** As a Host header says it. */
  isHost(host: string): boolean;
  /** Whether a page of this origin was loaded from that host. */
  isOrigin(origin: string, host: string): boolean;
};

/** RFC 1122 3.2.1.3 and RFC 4291 2.5.3. A name is none: what it means, a name server decides. */
export function isLoopback(address: string): boolean {
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  loopback.addAddress('::1', 'ipv6');
  const version = isIP(address);
  return version !== 0 && loopback.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** `names`: of a proxy before us, which may speak https. */
export function allowPlaces(address: string, port: number, names: readonly string[] = []): AllowedPlaces {
  const own = isLoopback(address) ? ['127.0.0.1', '[::1]', 'localhost', bracketed(address)] : ownAddresses(address);
  const hosts = new Set(own.flatMap((host) => withPort(host, port)));
  const named = new Set(names.flatMap((name) => [name.toLowerCase(), ...withPort(name.toLowerCase(), port)]));
  return {
    isHost: (host) => hosts.has(host.toLowerCase()) || named.has(host.toLowerCase()),
    isOrigin: (origin, host) =>
      origin.toLowerCase() === `http://${host.toLowerCase()}` ||
      (named.has(host.toLowerCase()) && origin.toLowerCase() === `https://${host.toLowerCase()}`),
  };
}

/** An address cannot be pointed elsewhere, so those of this machine are safe; names are not. */
function ownAddresses(address: string): readonly string[] {
  if (address !== '0.0.0.0' && address !== '::') return [bracketed(address)];
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return ['localhost', ...all.map((each) => bracketed(each.address))];
}

const bracketed = (address: string): string => (isIP(address) === 6 ? `[${address}]` : address);

/** A browser leaves the port out where it is that of the scheme. */
const withPort = (host: string, port: number): readonly string[] =>
  port === 80 ? [host, `${host}:80`] : [`${host}:${port}`];
