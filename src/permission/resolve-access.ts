/** Turns what a tool declares into what it means on this machine. */
import type { Access, ResolvedPath } from '../contract/access.ts';
import { ToolFailure } from '../contract/failure.ts';
import type { AccessResolver, ConversationInfo } from '../contract/services.ts';
import type { ShellState } from '../contract/shell-state.ts';
import type { TypedState } from '../contract/terminals.ts';

export type AccessSources = {
  resolvePath(access: Extract<Access, { kind: 'path' }>, conversation: ConversationInfo): Promise<ResolvedPath>;
  /** Whether commands run in a sandbox now. */
  isSandboxed(): boolean;
  /** The sandbox's home as commands know it. */
  readonly homePath: string;
  /** Where that home lies on the machine. Omitted: links in it are not seen. */
  readonly homeFolder?: string;
  isAllowedHost(host: string): boolean;
  /** Of the conversation's own shell; undefined while it has none. Omitted: there are no shells that live on. */
  shellState?(conversation: ConversationInfo): Promise<ShellState | undefined>;
  /** The setting `terminal.allowedCommands`. */
  readonly listedCommands: readonly string[];
  /** Rejects with not_found. */
  typedState(conversation: ConversationInfo, terminal: string): Promise<TypedState>;
};

export function createAccessResolver(sources: AccessSources): AccessResolver {
  return async (access, conversation) => {
    switch (access.kind) {
      case 'path':
        return sources.resolvePath(access, conversation);
      case 'command': {
        const { homePath } = sources;
        // The reader of commands is large, and a start needs none of it.
        const { resolveCommand } = await import('./resolve-command.ts');
        return resolveCommand(access, {
          workspace: conversation.workspace,
          homePath,
          isSandboxed: sources.isSandboxed(),
          listed: sources.listedCommands,
          homeFolder: sources.homeFolder,
          shellState: await sources.shellState?.(conversation),
          ...(access.typedInto === undefined
            ? {}
            : { typedState: await sources.typedState(conversation, access.typedInto) }),
        });
      }
      case 'url': {
        const host = hostOf(access.url);
        return { ...access, host, isAllowedHost: sources.isAllowedHost(host) };
      }
      default:
        return access;
    }
  };
}

function hostOf(url: string): string {
  try {
    return new URL(url).hostname.toLowerCase();
  } catch (error) {
    throw new ToolFailure(
      'invalid_input',
      `"${url}" is no address. Write it whole, for example https://example.org/page.`,
      { cause: error },
    );
  }
}
