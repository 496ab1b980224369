/** Puts the look at trusted files around every command of a shell service, whoever implements it. */
import type { CallScope, ServiceOwner, Shell, ShellResult } from '../../contract/services.ts';
import type { TrustedFiles, TrustedRun } from './create-trusted-files.ts';

export type GuardOptions = {
  readonly trusted: TrustedFiles;
  /** Whether something that a command of the conversation started goes on behind it. Omitted: nothing does. */
  readonly stillRuns?: (conversationId: string) => boolean;
};

/**
 * A look costs nothing but the time of the command that waits for it; what several commands at once have made is told by the
 * first of them to end. What goes on behind a command is watched until it is gone, and told with a later result.
 */
export function guardCommands<Owner extends ServiceOwner<Shell>>(owner: Owner, options: GuardOptions): Owner {
  const behind = new Map<string, Set<TrustedRun>>();

  async function endBehind(conversationId: string): Promise<readonly string[]> {
    const runs = behind.get(conversationId);
    if (runs === undefined || options.stillRuns?.(conversationId) === true) return [];
    behind.delete(conversationId);
    return (await Promise.all([...runs].map((run) => run.end()))).flat();
  }

  /** Its notes; a run that goes on is kept only once per conversation, for they look at the same files. */
  async function finish(run: TrustedRun, conversationId: string): Promise<readonly string[]> {
    if (options.stillRuns?.(conversationId) !== true)
      return [...(await run.end()), ...(await endBehind(conversationId))];
    const runs = behind.get(conversationId) ?? new Set<TrustedRun>();
    behind.set(conversationId, runs);
    if (runs.size > 0) return run.end();
    runs.add(run);
    return run.check();
  }

  async function around(scope: CallScope, work: () => Promise<ShellResult>): Promise<ShellResult> {
    const { id, workspace } = scope.conversation;
    const run = await options.trusted.begin(workspace);
    const result = await work().catch(async (error: unknown) => {
      await finish(run, id);
      throw error;
    });
    const notes = await finish(run, id);
    return notes.length === 0 ? result : { ...result, notes: [...result.notes, ...notes] };
  }

  return {
    ...owner,
    forCall(scope) {
      const shell = owner.forCall(scope);
      return {
        ...shell,
        run: (request, onOutput) => around(scope, () => shell.run(request, onOutput)),
      };
    },
    async close() {
      await owner.close();
      await Promise.all([...behind.values()].flatMap((runs) => [...runs].map((run) => run.end())));
      behind.clear();
      await options.trusted.close();
    },
  };
}
