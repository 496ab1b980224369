/** The text of the sandbox's ~/.ssh/config: our entries between marks, everything else as it is. */
import type { CheckedHost } from './check-host.ts';

const opening = (alias: string): string => `# handrail: begin ${alias}`;
const closing = (alias: string): string => `# handrail: end ${alias}`;

/** The entry in place of an earlier one of the alias, else at the beginning: of several that fit, ssh takes the first value. */
export function withHost(config: string, host: CheckedHost): string {
  const entry = entryOf(host);
  const start = findLine(config, opening(host.alias), 0);
  const end = start < 0 ? -1 : findLine(config, closing(host.alias), start);
  if (end < 0) return `${entry}${config === '' ? '' : '\n'}${config}`;
  return config.slice(0, start) + entry + config.slice(end + closing(host.alias).length + 1);
}

/** With the line at its end, unless it is there already; lines of the same names and type give way to it. */
export function withKnownHost(known: string, line: string): string {
  const [names, type, key] = line.split(' ');
  const isSame = (other: string): boolean => {
    const [otherNames, otherType, otherKey] = other.trim().split(/[ \t]+/);
    return otherNames === names && otherType === type && otherKey === key;
  };
  const lines = known.split('\n');
  if (lines.some(isSame)) return known;
  const rest = lines.filter((other) => {
    const [otherNames, otherType] = other.trim().split(/[ \t]+/);
    return otherNames !== names || otherType !== type;
  });
  const text = rest.join('\n');
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
}

function entryOf({ alias, hostname, user, port, identityFile }: CheckedHost): string {
  return [
    opening(alias),
    `Host ${alias}`,
    `  HostName ${hostname}`,
    `  Port ${port}`,
    ...(user === undefined ? [] : [`  User ${user}`]),
    ...(identityFile === undefined ? [] : [`  IdentityFile ${identityFile}`, '  IdentitiesOnly yes']),
    '  ServerAliveInterval 30',
    '  ServerAliveCountMax 3',
    '  StrictHostKeyChecking accept-new',
    // What stands behind an entry would belong to it.
    'Match all',
    closing(alias),
    '',
  ].join('\n');
}

function findLine(text: string, line: string, from: number): number {
  for (let at = text.indexOf(line, from); at >= 0; at = text.indexOf(line, at + 1)) {
    const isWhole = (at === 0 || text[at - 1] === '\n') && text[at + line.length] === '\n';
    if (isWhole) return at;
  }
  return -1;
}
