/** Refuses whatever could make more of a line of ssh_config(5) than the value it is meant to be. */
import { posix } from 'node:path';
import { ToolFailure } from '../../contract/failure.ts';
import type { SshHost } from '../../contract/ssh.ts';

export type CheckedHost = Omit<SshHost, 'identityFile' | 'port'> & {
  readonly port: number;
  /** Absolute or `~/…`. */
  readonly identityFile?: string;
};

const refuse = (message: string): never => {
  throw new ToolFailure('invalid_input', message);
};

export function checkHost(host: SshHost): CheckedHost {
  const { alias, hostname, user, port = 22, identityFile, knownHostLine } = host;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(alias))
    refuse(`"${shown(alias)}" cannot be an alias: letters, digits, dot, _ and - only, at most 63, no dot or - first.`);
  if (!isHostname(hostname))
    refuse(`"${shown(hostname)}" is no host name or address. Give it bare: no user, port, scheme or blank.`);
  if (user !== undefined && !/^[A-Za-z0-9_][A-Za-z0-9._@-]{0,63}$/.test(user))
    refuse(`"${shown(user)}" cannot be a user's name here: letters, digits, . _ @ and - only, no - first.`);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) refuse('The port is a whole number from 1 to 65535.');
  return {
    ...{ alias, hostname, port },
    ...(user === undefined ? {} : { user }),
    ...(identityFile === undefined ? {} : { identityFile: checkIdentity(identityFile) }),
    ...(knownHostLine === undefined ? {} : { knownHostLine: checkKnownHost(knownHostLine) }),
  };
}

/** Names, IPv4, and IPv6 as it is written in ssh_config: without brackets. */
function isHostname(text: string): boolean {
  if (text.length > 253) return false;
  if (/^[0-9A-Fa-f:.]+$/.test(text) && text.includes(':')) return true;
  return /^[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?)*\.?$/.test(
    text,
  );
}

/** `%` and `$` are expanded by ssh, and a blank or a quote would end the value. */
function checkIdentity(path: string): string {
  if (!/^[A-Za-z0-9_./~@+,-]+$/.test(path) || path.length > 1024 || path.startsWith('-'))
    refuse(`"${shown(path)}" cannot be the path of a key: letters, digits and . _ / @ + , - only.`);
  if (path.startsWith('/')) return posix.normalize(path);
  const below = path.startsWith('~/') ? path.slice(2) : `.ssh/${path}`;
  const normal = posix.normalize(below);
  if (path.slice(1).includes('~') || normal.startsWith('..')) refuse(`"${shown(path)}" leads out of the home.`);
  return `~/${normal}`;
}

const keyTypes =
  /^(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp(?:256|384|521)|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com)$/;

/** No marker: `@cert-authority` would trust whole domains for a key. */
function checkKnownHost(line: string): string {
  const [names = '', type = '', key = '', ...rest] = line.trim().split(/[ \t]+/);
  const isNamed = names
    .split(',')
    .every((name) => /^(?:\|1\|[A-Za-z0-9+/=]+\|[A-Za-z0-9+/=]+|\[?[A-Za-z0-9._:-]+\]?(?::\d{1,5})?)$/.test(name));
  const isKey = keyTypes.test(type) && /^[A-Za-z0-9+/]{20,}={0,2}$/.test(key) && startsWithType(key, type);
  // A remark may follow; control characters may not.
  const isClean = !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line.trim().replaceAll('\t', ' '));
  if (!isNamed || !isKey || !isClean)
    refuse(
      'known_host_line is one line of known_hosts as `ssh-keyscan` prints it: host names, key type, key in base64. No pattern and no marker.',
    );
  return [names, type, key, ...rest].join(' ');
}

/** RFC 4253, 6.6: the key's own name stands at its beginning. */
function startsWithType(key: string, type: string): boolean {
  const bytes = Buffer.from(key, 'base64');
  return bytes.length > 4 && bytes.subarray(4, 4 + bytes.readUInt32BE(0)).toString('latin1') === type;
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
