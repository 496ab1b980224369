/** Puts the look at trusted files around every command of a shell service, whoever implements it. */
import type { CallScope, ServiceOwner, Shell, ShellResult } from '../../contract/services.ts';
import type { TrustedFiles, TrustedRun } from './create-trusted-files.ts';

export type GuardOptions = {
  readonly trusted: TrustedFiles;
  /** Whether something that a command of the conversation started goes on behind it. Omitted: nothing does. */
  readonly stillRuns?: (conversationId: string) => boolean;
};

/**
 * What several commands at once have made is told by the first of them to end. What goes on behind a command is watched until
 * it is gone, and told with a later result.
 */
export function guardCommands<Owner extends ServiceOwner<Shell>>(owner: Owner, options: GuardOptions): Owner {
  const watched = new Set<string>();

  async function finish(run: TrustedRun, conversationId: string): Promise<readonly string[]> {
    const goesOn = (): boolean => options.stillRuns?.(conversationId) === true;
    // One look for all that goes on: it was there first, and began earlier.
    if (!goesOn() || watched.has(conversationId)) return run.end();
    watched.add(conversationId);
    run.endWhen(() => {
      if (goesOn()) return false;
      watched.delete(conversationId);
      return true;
    });
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
      await options.trusted.close();
    },
  };
}
