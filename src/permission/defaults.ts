/** What holds for an access when no rule and no grant says anything, and what nothing can lift. */
import type { CommandFinding, ResolvedAccess, ResolvedPath } from '../contract/access.ts';

export type DefaultAnswer = {
  readonly verdict: 'allow' | 'ask';
  readonly reason: string;
  /** True: an allow rule alone does not silence the question, a grant does. */
  readonly needsGrant: boolean;
};

/** The reason nobody can allow it, or undefined. */
export function hardDenial(access: ResolvedAccess): string | undefined {
  if (access.kind === 'command' && access.notListed !== undefined)
    return `${access.notListed} is not covered by the setting terminal.allowedCommands`;
  if (access.kind !== 'path') return undefined;
  if (access.zone === 'state') return `${access.realPath} belongs to Handrail's own state, which no tool may touch`;
  if (access.zone === 'credentials')
    return `${access.realPath} is a place for credentials or for the kernel's secrets, which no tool may touch`;
  if (access.zone === 'artifacts' && access.mode !== 'read') return 'kept results can be read, not changed';
  return undefined;
}

export function defaultAnswer(access: ResolvedAccess): DefaultAnswer {
  switch (access.kind) {
    case 'path':
      return pathAnswer(access);
    case 'command':
      return commandAnswer(access);
    case 'url':
      return access.isAllowedHost ? allow(`${access.host} is an allowed host`) : ask(`${access.host} is a new host`);
    case 'app':
      return ask(`it starts or changes ${access.name} on this machine`);
    case 'message':
      return ask(`it sends a message to ${access.to}`, true);
    case 'mcp':
      return ask(`it runs ${access.tool} of the MCP server ${access.server}`);
    case 'persist':
      return access.what === 'memory' ? allow('it keeps a memory') : ask(`it keeps a ${access.what} that acts later`);
    case 'none':
      return allow('it touches nothing of yours');
  }
}

function pathAnswer(access: ResolvedPath): DefaultAnswer {
  const where = access.realPath === access.path ? access.realPath : `${access.path} (really ${access.realPath})`;
  switch (access.zone) {
    case 'workspace':
      return access.mode === 'delete'
        ? ask(`it removes ${where} from the workspace`, true)
        : allow('it stays in the workspace');
    case 'home':
      return allow("it stays in the sandbox's own home");
    case 'artifacts':
      return allow('it reads a kept result');
    case 'trusted':
      return ask(`${where} is a file that this machine obeys or runs later`, true);
    default:
      return ask(`${where} is outside the workspace`, access.mode === 'delete');
  }
}

function commandAnswer(access: Extract<ResolvedAccess, { kind: 'command' }>): DefaultAnswer {
  if (access.isDangerous) return ask('the model marked the command as dangerous', true);
  const serious = access.findings.filter((finding) => !finding.insideSandboxOnly);
  const first = serious[0];
  if (first !== undefined) return ask(findingReason(first, access.isSandboxed), first.kind !== 'unreadable');
  return access.isSandboxed ? allow('it runs in the sandbox') : ask('it runs outside any sandbox');
}

function findingReason(finding: CommandFinding, isSandboxed: boolean): string {
  const where = isSandboxed ? '' : ' outside any sandbox';
  const quoted = finding.text.length > 80 ? `${finding.text.slice(0, 77)}…` : finding.text;
  switch (finding.kind) {
    case 'removes':
      return `"${quoted}" removes files${where || ' of the workspace'}`;
    case 'git':
      return `"${quoted}" changes the git history or work`;
    case 'kills':
      return `"${quoted}" ends processes${where}`;
    case 'system':
      return `"${quoted}" changes the system${where}`;
    case 'unreadable':
      return `"${quoted}" cannot be read with certainty`;
  }
}

const allow = (reason: string): DefaultAnswer => ({ verdict: 'allow', reason, needsGrant: false });
const ask = (reason: string, needsGrant = false): DefaultAnswer => ({ verdict: 'ask', reason, needsGrant });
