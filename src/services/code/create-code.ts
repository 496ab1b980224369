/** Programs that a call brings along: each runs in a sandbox of its own that nothing was before in, and nothing stays of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isIsolating } from '../../base/rung-isolation.ts';
import type { Code, CodeRequest } from '../../contract/code.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { Artifacts, CallScope, ServiceOwner, ShellResult } from '../../contract/services.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Sandbox } from '../sandbox/create-sandbox.ts';
import { bindNode } from '../sandbox/node-bind.ts';
import { createCallClock } from '../shell/call-clock.ts';
import { findInheritedHandles } from '../shell/inherited-handles.ts';
import { createPipePool } from '../shell/pipe-pool.ts';
import { runApart } from '../shell/run-apart.ts';
import { runCommand } from '../shell/run-command.ts';
import type { CommandRequest, OutputSink, PrintingCommand } from '../shell/running-command.ts';
import { startInSandbox } from '../shell/start-in-sandbox.ts';
import { startOnHost } from '../shell/start-on-host.ts';
import { firstProgramHandle } from '../shell/start-program.ts';
import { decideTimeLimit } from '../shell/time-limit.ts';
import { watchNetwork } from '../shell/watch-network.ts';
import type { TrustedFiles } from '../trusted-files/create-trusted-files.ts';
import { interpreterNames, missingText, nodeCommand, pythonInSandbox, pythonOnHost, quote } from './code-command.ts';

export type CodeOptions = {
  readonly sandbox: Sandbox;
  readonly artifacts: Artifacts;
  /** As the settings say now. */
  readonly limits: () => Settings['shell'];
  /** True where commands see a Linux userland and not this machine's system. */
  readonly hasOwnSystem: () => boolean;
  readonly environment: NodeJS.ProcessEnv;
  /** Looks at files that the machine obeys later, around each run. */
  readonly trusted: Pick<TrustedFiles, 'begin'>;
  /** Tests swap a guard here. */
  readonly isGranted?: typeof isGrantedCode;
};

const sandboxMaxChars = 15_000;
const hostMaxChars = 30_000;
const maxCodeBytes = 16 * 1024 * 1024;

export function createCode(options: CodeOptions): ServiceOwner<Code> {
  const pool = createPipePool();
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  async function run(scope: CallScope, ...[request, onOutput]: Parameters<Code['run']>): Promise<ShellResult> {
    const rung = options.sandbox.rung();
    if (!(options.isGranted ?? isGrantedCode)(scope, request, isIsolating(rung))) {
      throw new ToolFailure('denied', 'This program was not what the call was allowed to run, so it was not run.');
    }
    if (request.code.includes('\0')) {
      // Python stops reading there and says nothing.
      throw new ToolFailure('invalid_input', 'The program holds a NUL byte. Write \\0 within a string instead.');
    }
    if (Buffer.byteLength(request.code) > maxCodeBytes) {
      throw new ToolFailure('too_large', 'The program is longer than 16 MB. Write its data to a file and read that.');
    }
    const watched = await options.trusted.begin(scope.conversation.workspace);
    let notes: readonly string[] = [];
    const clock = createCallClock();
    const network = watchNetwork(options.sandbox.network, scope, rung, clock);
    const result = await runCommand({
      clock,
      start: (sink) => (rung === 'host' ? startHere(scope, request, sink) : startInside(scope, request, sink)),
      rung,
      limit: decideTimeLimit(request, options.limits()),
      maxChars: rung === 'host' ? hostMaxChars : sandboxMaxChars,
      signal: AbortSignal.any([scope.signal, closing.signal]),
      artifacts: options.artifacts,
      onOutput,
    }).finally(async () => {
      network.end();
      notes = await watched.end();
    });
    if (isMissing(result)) throw missing(request, options.hasOwnSystem());
    return { ...result, notes: [...options.sandbox.notices(), ...result.notes, ...network.notes(), ...notes] };
  }

  function startInside(scope: CallScope, request: CodeRequest, sink: OutputSink): Promise<PrintingCommand> {
    const node = request.language === 'python' ? undefined : bindNode(options.hasOwnSystem());
    const handle = firstProgramHandle;
    const command: CommandRequest = {
      ...placeOf(scope, request),
      command: node === undefined ? pythonInSandbox(handle) : nodeCommand(node.command, `<&${handle} ${handle}<&-`),
      input: Buffer.from(request.code),
      ...(node === undefined ? {} : { binds: node.binds }),
    };
    return runApart(pool, sink, (takePipes) => startInSandbox({ sandbox: options.sandbox, pool }, command, takePipes));
  }

  /** On the machine there is no place that goes away by itself. */
  async function startHere(scope: CallScope, request: CodeRequest, sink: OutputSink): Promise<PrintingCommand> {
    const folder = mkdtempSync(join(tmpdir(), 'handrail-code-'));
    const remove = (): void => rmSync(folder, { recursive: true, force: true });
    try {
      const file = join(folder, request.language === 'python' ? 'main.py' : 'main');
      writeFileSync(file, request.code, { mode: 0o600 });
      const text =
        request.language === 'python' ? pythonOnHost(file) : nodeCommand([process.execPath], `<${quote(file)}`);
      const command = { ...placeOf(scope, request), command: text };
      const started = await runApart(pool, sink, (takePipes) => startOnHost(options, command, takePipes));
      return { ...started, close: () => started.close().finally(remove) };
    } catch (error) {
      remove();
      throw error;
    }
  }

  return {
    forCall: (scope) => ({
      run(request, onOutput) {
        const result = run(scope, request, onOutput);
        const settled: Promise<void> = result.then(
          () => void running.delete(settled),
          () => void running.delete(settled),
        );
        running.add(settled);
        return result;
      },
    }),
    async close() {
      closing.abort(new ToolFailure('cancelled', 'Handrail is closing, so the program was stopped.'));
      await Promise.all(running);
      pool.close();
    },
  };
}

function placeOf({ conversation }: CallScope, { workingDir }: CodeRequest): Omit<CommandRequest, 'command'> {
  return {
    conversationId: conversation.id,
    ...(conversation.isThrowaway ? {} : { temporaryOf: conversation.id }),
    workspace: conversation.workspace,
    workingDir,
    environment: {},
    shadowed: findInheritedHandles(),
  };
}

/** A program may print the same; it only changes words then. */
function isMissing({ exitCode, stdout, stderr }: ShellResult): boolean {
  return exitCode === 127 && stdout.totalBytes === 0 && stderr.text.trim() === missingText;
}

function missing({ language }: CodeRequest, hasOwnSystem: boolean): ToolFailure {
  const name = interpreterNames[language];
  const how = hasOwnSystem
    ? 'Install it in the sandbox: handrail sandbox packages install python3.'
    : 'Install it on this machine (Debian: sudo apt-get install python3), or use language javascript.';
  return new ToolFailure('unavailable', `${name} is not there, so the program was not run. ${how}`);
}

/** What was decided on must be what runs, and where. */
function isGrantedCode(scope: CallScope, request: CodeRequest, isSandboxed: boolean): boolean {
  return scope.granted.some(
    (access) =>
      access.kind === 'command' &&
      access.command === request.code &&
      access.language === request.language &&
      access.isSandboxed === isSandboxed,
  );
}
