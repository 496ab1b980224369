/** A registry by itself, for programs that want the tools and the rail without conversations or a database. */
import type { Asker } from '../contract/permission.ts';
import type { Services } from '../contract/services.ts';
import { createApprovals, type GrantsKept } from '../permission/approvals.ts';
import { createPolicy } from '../permission/policy.ts';
import type { ExecutorParts } from './executor-parts.ts';
import { createLibraryRegistry, type LibraryRegistry } from './library-registry.ts';
import { createToolRegistry } from './registry.ts';

export type StandaloneOptions = {
  /** Blocked whatever else is said. Omitted: none. */
  readonly disallowed?: readonly string[];
  /** Empty or omitted: all that are registered. */
  readonly allowed?: readonly string[];
  /** Run only after the callback said true. Omitted: none. */
  readonly requiresApproval?: readonly string[];
  /** Only true proceeds. Omitted: a question on the terminal. */
  readonly approve?: (tool: string, input: Record<string, unknown>) => boolean | Promise<boolean>;
  /** Omitted: false. */
  readonly unloadAfterUse?: boolean;
};

/** `terminalAsker` is used when no callback is given. */
export function createStandaloneRegistry(
  options: StandaloneOptions,
  terminalAsker: () => Promise<Asker>,
): LibraryRegistry {
  const registry = createToolRegistry({ unloadAfterUse: options.unloadAfterUse ?? false });
  const { disallowed = [], allowed = [], requiresApproval = [], approve } = options;
  const policy = createPolicy({
    tools: { disallowed, allowed },
    permissions: { deny: [], ask: requiresApproval, allow: [] },
  });
  const closedGate: ExecutorParts['closedGate'] = ({ name }) => {
    if (policy.disallowed.has(name)) return 'it is on the list of disallowed tools';
    return policy.allowed.size > 0 && !policy.allowed.has(name) ? 'it is not on the list of allowed tools' : undefined;
  };
  const parts: ExecutorParts = {
    registry,
    services: { bind: async () => noServices },
    resolveAccess: async (access) => access as { readonly kind: 'none' },
    approvals: createApprovals(noGrants),
    policy: () => policy,
    untrustedSince: async () => undefined,
    closedGate,
    keepArtifact: async () => undefined,
    log: () => {},
  };
  const conversation = { id: 'library', workspace: process.cwd(), isThrowaway: true };
  return createLibraryRegistry({
    registry,
    isPermitted: (tool) => closedGate(tool) === undefined,
    async execute(tool, input) {
      const asker = approve === undefined ? await terminalAsker() : callbackAsker(approve);
      const context = {
        conversation,
        signal: new AbortController().signal,
        approve: 'ask',
        asker,
        record: async () => {},
      } as const;
      const { executeCalls } = await import('./execute-calls.ts');
      const [outcome] = await executeCalls(parts, [{ callId: 'call', tool, input, origin: 'library' }], context);
      if (outcome === undefined) throw new Error('A call ended without an outcome.');
      return outcome;
    },
  });
}

function callbackAsker(approve: NonNullable<StandaloneOptions['approve']>): Asker {
  return {
    origin: 'callback',
    async ask(question) {
      const input = JSON.parse(question.input === '' ? '{}' : question.input) as Record<string, unknown>;
      // Anything but true is a no, whatever a caller without types returns.
      return (await approve(question.tool, input)) === true ? { verdict: 'allow', scope: 'once' } : { verdict: 'deny' };
    },
  };
}

/** Plain tools need none. */
const noServices = {} as Services;

const noGrants: GrantsKept = { list: async () => [], add: async () => {}, used: async () => {} };
