/** Patterns of hosts as settings write them: `host`, `*.host`, `host:port`, `[v6]:port`. */
import { bracketed, isProblem, readAuthority, type Target } from './read-target.ts';

export type HostPattern = {
  readonly text: string;
  readonly host: string;
  /** Undefined: every port. */
  readonly port: number | undefined;
  /** `*.host`: what lies below the host, not the host itself. */
  readonly isBelow: boolean;
};

/** Undefined for a text that is no pattern: it matches nothing then. `*` alone would be mode "on", so it is none. */
export function readHostPattern(text: string): HostPattern | undefined {
  const isBelow = text.startsWith('*.');
  const authority = isBelow ? text.slice(2) : text;
  const withBrackets = authority.split(':').length > 2 && !authority.startsWith('[') ? `[${authority}]` : authority;
  const target = readAuthority(withBrackets, 1);
  if (isProblem(target) || (isBelow && target.isAddress)) return undefined;
  const hasPort = /:\d+$/.test(withBrackets.replace(/^\[[^\]]*\]/, ''));
  return { text, host: target.host, port: hasPort ? target.port : undefined, isBelow };
}

export function readHostPatterns(texts: readonly string[]): readonly HostPattern[] {
  return texts.map(readHostPattern).filter((pattern) => pattern !== undefined);
}

/** As an allowance reads it: exactly what was written, since whoever owns `example.org` need not own what lies below it. */
export function patternMatches(pattern: HostPattern, target: Target): boolean {
  if (pattern.port !== undefined && pattern.port !== target.port) return false;
  return pattern.isBelow ? isBelow(target, pattern.host) : target.host === pattern.host;
}

/** As a prohibition reads it: what lies below a forbidden host is forbidden with it, and `*.host` means the host too. */
export function patternForbids(pattern: HostPattern, target: Target): boolean {
  if (pattern.port !== undefined && pattern.port !== target.port) return false;
  return target.host === pattern.host || isBelow(target, pattern.host);
}

/** Exactly this host and port, as `net.allowPrivate` writes them. */
export function isExactly(texts: readonly string[], target: Target): boolean {
  return readHostPatterns(texts).some((pattern) => pattern.port === target.port && pattern.host === target.host);
}

const isBelow = (target: Target, host: string): boolean => !target.isAddress && target.host.endsWith(`.${host}`);

/** How a host is asked about: what permission rules and grants read. */
export function questionUrl({ host, port }: Target): string {
  return `https://${bracketed(host)}${port === 443 ? '' : `:${port}`}/`;
}
