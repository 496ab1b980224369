/** The shell service: commands in the conversation's shell or apart from it, for calls that were granted exactly that command. */
import { isIsolating } from '../../base/rung-isolation.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { Redactor } from '../../contract/redaction.ts';
import type { Artifacts, CallScope, Rung, ServiceOwner, Shell, ShellFacts } from '../../contract/services.ts';
import type { OpenShell, ShellState } from '../../contract/shell-state.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Sandbox } from '../sandbox/create-sandbox.ts';
import { checkCommand, checkEnvironment, isForbiddenOnHost, type IsForbiddenName } from './check-request.ts';
import type { ControlGroup } from '../limits/control-group.ts';
import { findInheritedHandles } from './inherited-handles.ts';
import { createCallClock } from './call-clock.ts';
import { describeMachine } from './describe-machine.ts';
import { createPipePool } from './pipe-pool.ts';
import { createConversationShells, type ShellChanges, type ShellsOptions } from './persistent/conversation-shells.ts';
import { runApart } from './run-apart.ts';
import { runCommand } from './run-command.ts';
import type { OutputSink, StartPrinting } from './running-command.ts';
import { startInSandbox } from './start-in-sandbox.ts';
import { startOnHost } from './start-on-host.ts';
import { decideTimeLimit } from './time-limit.ts';
import { watchNetwork } from './watch-network.ts';

export type ShellOptions = {
  readonly sandbox: Sandbox;
  readonly artifacts: Artifacts;
  /** As the settings say now. */
  readonly limits: () => Settings['shell'];
  /** Ours; on the host rung the user's session variables are taken from it, never a key. */
  readonly environment: NodeJS.ProcessEnv;
  /** Tests swap a guard here. */
  readonly isGranted?: (scope: CallScope, command: string, rung: Rung) => boolean;
  readonly isForbiddenName?: IsForbiddenName;
  readonly findInherited?: () => readonly number[];
  readonly createGroup?: (name: string) => ControlGroup | undefined;
  /** Where directories and variables of shells are kept; undefined: only as long as the program runs. */
  readonly shellsFolder?: string;
  /** Takes secrets out of what is kept there. Omitted: it is kept as it is. */
  readonly redactor?: Redactor;
  readonly shells?: Pick<ShellsOptions, 'idle' | 'maxPairs' | 'start'>;
};

export type ShellOwner = ServiceOwner<Shell> & {
  /** For descriptions; cheap, and starts nothing. */
  facts(): Promise<ShellFacts>;
  /** What commands have changed in this conversation's shell that changes what later ones mean. */
  shellChanges(conversationId: string): ShellChanges;
  /** The same with where it stands and where its root can be looked at. */
  shellState(conversationId: string): ShellState;
  /** Something that a command of the conversation has started goes on behind it. */
  hasBackground(conversationId: string): boolean;
  /** The shells that live. */
  openShells(): readonly OpenShell[];
  /** Ends the conversation's shell; with `forget` also what is kept for its next one. */
  closeConversation(conversationId: string, options?: { readonly forget?: boolean }): Promise<void>;
  /** Ends every shell; the next commands get new ones. */
  closeAll(): Promise<void>;
};

/** DESIGN: per stream, so that one of them cannot push the other out. */
const sandboxMaxChars = 15_000;
const hostMaxChars = 30_000;

export function createShell(options: ShellOptions): ShellOwner {
  const pool = createPipePool();
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const isGranted = options.isGranted ?? isGrantedCommand;
  let inherited: readonly number[] | undefined;
  const shadowed = (): readonly number[] => (inherited ??= (options.findInherited ?? findInheritedHandles)());
  const shells = createConversationShells({
    sandbox: options.sandbox,
    pool,
    environment: options.environment,
    folder: options.shellsFolder,
    ...(options.redactor === undefined ? {} : { redactor: options.redactor }),
    shadowed,
    ...options.shells,
  });

  const run = async (scope: CallScope, ...[request, onOutput]: Parameters<Shell['run']>): ReturnType<Shell['run']> => {
    const rung = options.sandbox.rung();
    const isHost = rung === 'host';
    if (!isGranted(scope, request.command, rung)) {
      throw new ToolFailure('denied', 'This command was not what the call was allowed to run, so it was not run.');
    }
    checkCommand(request.command);
    const isForbidden = options.isForbiddenName ?? isForbiddenOnHost;
    const environment = checkEnvironment(request.env, isIsolating(rung) ? () => false : isForbidden);
    const startApart = (sink: OutputSink) =>
      runApart(pool, sink, (takePipes) => {
        const command = {
          command: request.command,
          conversationId: scope.conversation.id,
          ...(scope.conversation.isThrowaway ? {} : { temporaryOf: scope.conversation.id }),
          workspace: scope.conversation.workspace,
          workingDir: request.workingDir,
          environment,
          shadowed: shadowed(),
        };
        return isHost
          ? startOnHost(options, command, takePipes)
          : startInSandbox({ sandbox: options.sandbox, pool }, command, takePipes);
      });
    const startInShell: StartPrinting = async (sink, signal) => {
      const isFork = (scope.callsTogether ?? 1) > 1;
      const command = { text: request.command, workingDir: request.workingDir, environment, isFork };
      const running = await shells.start(scope.conversation, command, { sink, signal });
      return running ?? startApart(sink);
    };
    const clock = createCallClock();
    const watch = watchNetwork(options.sandbox.network, scope, rung, clock);
    const result = runCommand({
      clock,
      start: request.fresh === true || scope.conversation.isThrowaway ? startApart : startInShell,
      rung,
      limit: decideTimeLimit(request, options.limits()),
      maxChars: isHost ? hostMaxChars : sandboxMaxChars,
      signal: AbortSignal.any([scope.signal, closing.signal]),
      artifacts: options.artifacts,
      onOutput,
    });
    return result.then((done) => ({ ...done, notes: [...done.notes, ...watch.notes()] })).finally(watch.end);
  };

  return {
    forCall: (scope) => ({
      run(request, onOutput) {
        const result = run(scope, request, onOutput).then((done) => ({
          ...done,
          notes: [...options.sandbox.notices(), ...done.notes],
        }));
        const settled: Promise<void> = result.then(
          () => void running.delete(settled),
          () => void running.delete(settled),
        );
        running.add(settled);
        return result;
      },
    }),
    facts: () =>
      Promise.resolve(describeMachine(options.sandbox.rung(), options.environment, options.sandbox.userland())),
    shellChanges: shells.changes,
    shellState: shells.state,
    hasBackground: shells.hasBackground,
    openShells: shells.list,
    closeConversation: shells.closeConversation,
    closeAll: shells.closeAll,
    async close() {
      closing.abort(new ToolFailure('cancelled', 'Handrail is closing, so the command was stopped.'));
      await Promise.all(running);
      await shells.closeAll();
      await options.sandbox.network?.close();
      pool.close();
    },
  };
}

/** What was decided on must be what runs, and where: a question answered for the sandbox is no answer for the host. */
function isGrantedCommand(scope: CallScope, command: string, rung: Rung): boolean {
  return scope.granted.some(
    (access) => access.kind === 'command' && access.command === command && access.isSandboxed === isIsolating(rung),
  );
}
