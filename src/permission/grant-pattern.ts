/** What an allowance for the rest of a conversation covers: made from a question's accesses, compared with later ones. */
import type { CommandFinding, ResolvedAccess } from '../contract/access.ts';
import type { Grant } from '../contract/permission.ts';

/**
 * The patterns that together cover the access; empty when nothing but a single use can be granted. Each is one line that a
 * person can read in the list of grants.
 */
export function patternsFor(access: ResolvedAccess): readonly string[] {
  switch (access.kind) {
    case 'path':
      return [`${access.mode} ${access.realPath}`];
    case 'command':
      return commandPatterns(access);
    case 'url':
      return [`${hostPrefix}${access.host}`];
    case 'app':
      return [`app ${access.name}`];
    case 'message':
      return [`message to ${access.to}`];
    case 'mcp':
      return [`mcp ${access.server}/${access.tool}`];
    case 'persist':
      return [`keep ${access.what}`];
    case 'none':
      return ['call'];
  }
}

const hostPrefix = 'host ';

/** The hosts among granted patterns. */
export function hostsOf(granted: ReadonlyMap<string, Grant>): readonly string[] {
  return [...granted.keys()]
    .filter((pattern) => pattern.startsWith(hostPrefix))
    .map((pattern) => pattern.slice(hostPrefix.length));
}

/** The allowances (of the same tool) that together cover the access wholly; undefined when they do not. */
export function coveringGrants(
  granted: ReadonlyMap<string, Grant>,
  access: ResolvedAccess,
): readonly Grant[] | undefined {
  if (access.kind === 'path') return pathGrant(granted, access.mode, access.realPath);
  const needed = patternsFor(access);
  const found = needed.map((pattern) => granted.get(pattern)).filter((grant) => grant !== undefined);
  return needed.length > 0 && found.length === needed.length ? found : undefined;
}

/** A grant for a folder holds for what lies below it; a grant to write holds for reading. */
function pathGrant(granted: ReadonlyMap<string, Grant>, mode: string, realPath: string): readonly Grant[] | undefined {
  const modes = mode === 'read' ? ['read', 'write'] : [mode];
  for (let at = realPath; ; at = parentOf(at)) {
    const found = modes.map((each) => granted.get(`${each} ${at}`)).find((grant) => grant !== undefined);
    if (found !== undefined) return [found];
    if (at === '/') return undefined;
  }
}

function parentOf(realPath: string): string {
  const slash = realPath.lastIndexOf('/');
  return slash <= 0 ? '/' : realPath.slice(0, slash);
}

function commandPatterns(access: Extract<ResolvedAccess, { kind: 'command' }>): readonly string[] {
  const exact = `command ${access.command}`;
  // What could not be read, or what its author calls dangerous, is covered by its own bytes only.
  if (
    access.isDangerous ||
    access.heads.includes('?') ||
    access.findings.some((finding) => finding.kind === 'unreadable')
  )
    return [exact];
  const patterns = new Set(access.findings.filter((finding) => !finding.insideSandboxOnly).map(findingPattern));
  if (!access.isSandboxed) {
    // What anybody may have written meanwhile is not what was looked at (SECURITY A18): each time anew.
    if (access.heads.some(runsFiles)) return [];
    for (const head of access.heads) patterns.add(`run ${head}`);
    for (const file of access.writes ?? []) patterns.add(file === '?' ? exact : `write ${file}`);
  }
  return patterns.size > 0 ? [...patterns] : [exact];
}

/** Programs of the workspace, and those that run the file or the text they are given. */
function runsFiles(head: string): boolean {
  return (
    head.includes('/') ||
    /^(?:sh|bash|dash|zsh|ksh|mksh|fish|busybox|source|\.|eval|exec|env|xargs|sudo|make|gmake|ninja|just|npm|npx|yarn|pnpm|bun|bunx|deno|node|nodejs|tsx|ts-node|python[\d.]*|pypy3?|perl|ruby|php|lua|Rscript|awk|gawk|sed|cargo|go|mvn|gradle|rake|tox|pytest|handrail)$/.test(
      head,
    )
  );
}

function findingPattern(finding: CommandFinding): string {
  if (finding.kind === 'git') return `git ${gitSubcommand(finding.text)}`;
  return finding.kind === 'removes'
    ? 'remove files'
    : finding.kind === 'kills'
      ? 'end processes'
      : `command ${finding.text}`;
}

/** The first word after `git` that is neither an option nor the value of one. */
function gitSubcommand(text: string): string {
  const words = text.trim().split(/\s+/);
  const valued = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env', '--exec-path']);
  for (let at = words.findIndex((word) => /(^|\/)git$/.test(word)) + 1; at > 0 && at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (valued.has(word)) at += 1;
    else if (!word.startsWith('-')) return word;
  }
  return text;
}
