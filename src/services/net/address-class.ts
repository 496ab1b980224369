/** Says of an address what it is: open to everybody, private, a cloud's metadata, or a way round such questions. */
import { isIPv4, isIPv6 } from 'node:net';

/**
 * `public`: anybody on the internet. `reserved`: in no registry's hands, though a network may use it (documentation, benchmarks).
 * `private`: this machine or its own network. `metadata`: keys of a cloud machine lie there. `unusable`: no address to dial
 * (multicast, broadcast), or one that carries another address inside it, which would have to be believed.
 */
export type AddressClass = 'public' | 'reserved' | 'private' | 'metadata' | 'unusable';

/**
 * IANA IPv4 Special-Purpose Address Registry (RFC 6890). First hit counts. Metadata: link-local as a whole (AWS, Azure,
 * Google, Oracle), Alibaba, Oracle's second one, Azure's wire server.
 */
const ranges4: readonly (readonly [string, number, AddressClass])[] = [
  ['169.254.0.0', 16, 'metadata'],
  ['100.100.100.200', 32, 'metadata'],
  ['192.0.0.192', 32, 'metadata'],
  ['168.63.129.16', 32, 'metadata'],
  ['0.0.0.0', 8, 'unusable'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'private'],
  ['127.0.0.0', 8, 'private'],
  ['172.16.0.0', 12, 'private'],
  ['192.168.0.0', 16, 'private'],
  ['192.0.0.0', 24, 'unusable'],
  ['192.88.99.0', 24, 'unusable'],
  ['192.0.2.0', 24, 'reserved'],
  ['198.18.0.0', 15, 'reserved'],
  ['198.51.100.0', 24, 'reserved'],
  ['203.0.113.0', 24, 'reserved'],
  ['224.0.0.0', 3, 'unusable'],
];

/**
 * IANA IPv6 Special-Purpose Address Registry. Only 2000::/3 is handed out to anybody (RFC 4291, 2.4), so everything outside
 * it is refused without being named: IPv4-mapped and -compatible, NAT64 (64:ff9b::/96, RFC 6052), site-local, multicast.
 */
const ranges6: readonly (readonly [string, number, AddressClass])[] = [
  ['fd00:ec2::', 32, 'metadata'],
  ['fd20:ce::254', 128, 'metadata'],
  ['fe80::', 10, 'metadata'],
  ['::1', 128, 'private'],
  ['fc00::', 7, 'private'],
  ['2001:db8::', 32, 'reserved'],
  ['3fff::', 20, 'reserved'],
  // Teredo, ORCHID, benchmarks and the like (RFC 2928); 6to4 carries an IPv4 address inside (RFC 3056).
  ['2001::', 23, 'unusable'],
  ['2002::', 16, 'unusable'],
  ['2000::', 3, 'public'],
];

/** A text that is no address, or names an interface with it (`fe80::1%eth0`), is `unusable`. */
export function classifyAddress(address: string): AddressClass {
  if (isIPv4(address)) {
    const bytes = bytesOf4(address);
    return ranges4.find(([start, bits]) => startsWith(bytes, bytesOf4(start), bits))?.[2] ?? 'public';
  }
  if (!isIPv6(address) || address.includes('%')) return 'unusable';
  const bytes = bytesOf6(address);
  // ISATAP (RFC 5214, 6.1): an IPv4 address behind a public prefix.
  if (((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe) return 'unusable';
  return ranges6.find(([start, bits]) => startsWith(bytes, bytesOf6(start), bits))?.[2] ?? 'unusable';
}

/** The one way to write it, so that two spellings of an address compare equal. */
export function canonicalAddress(address: string): string {
  if (isIPv4(address)) return address;
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

function startsWith(bytes: readonly number[], start: readonly number[], bits: number): boolean {
  for (let bit = 0; bit < bits; bit += 8) {
    const mask = bits - bit >= 8 ? 0xff : (0xff00 >> (bits - bit)) & 0xff;
    if (((bytes[bit / 8] ?? 0) & mask) !== ((start[bit / 8] ?? 0) & mask)) return false;
  }
  return true;
}

const bytesOf4 = (address: string): number[] => address.split('.').map(Number);

function bytesOf6(address: string): number[] {
  const [before = '', after] = address.split('::');
  const head = groupBytes(before);
  const tail = groupBytes(after ?? '');
  return [...head, ...Array.from({ length: 16 - head.length - tail.length }, () => 0), ...tail];
}

function groupBytes(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return bytesOf4(group);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
