/** Runs one program in a userland's tree, with the same guards as every command, and follows what it prints. */
import { isBehindProxy } from '../../base/rung-isolation.ts';
import type { Access } from '../../contract/access.ts';
import { ToolFailure } from '../../contract/failure.ts';
import type { Decision } from '../../contract/permission.ts';
import type { Sandbox } from '../sandbox/create-sandbox.ts';
import { endTree } from '../shell/end-tree.ts';
import { findInheritedHandles } from '../shell/inherited-handles.ts';
import { createPipePool, type Pipe, type PipePool } from '../shell/pipe-pool.ts';
import { readPipe } from '../shell/read-pipe.ts';
import { findStartFailure, startProgram } from '../shell/start-program.ts';

export type TreeRequest = {
  /** The userland's tree on the machine. */
  readonly tree: string;
  /** A folder of ours that belongs to the user the tree belongs to; it stands where a workspace stands. */
  readonly workspace: string;
  /** For `/bin/sh -c`; the further arguments are its "$1", "$2", … */
  readonly script: string;
  readonly args?: readonly string[];
  readonly signal: AbortSignal;
  /** Both streams together, as they come. */
  readonly onOutput?: (text: string) => void;
  /** How much of the beginning is kept as `output`. Default 64 KB; the end is always kept as `tail`. */
  readonly maxOutputBytes?: number;
};

export type TreeResult = {
  readonly exitCode: number | null;
  readonly output: string;
  /** The last lines, for a message. */
  readonly tail: string;
};

export type RunnerOptions = {
  readonly sandbox: Sandbox;
  /** Hosts that programs may reach besides those that every command may. */
  readonly hosts: () => readonly string[];
};

export type RunInTree = (request: TreeRequest) => Promise<TreeResult>;

const defaultOutputBytes = 64 * 1024;
const tailChars = 600;

/** Rejects with ToolFailure: unavailable (no sandbox), cancelled. A program that fails is a result. */
export function createTreeRunner(options: RunnerOptions): RunInTree {
  return async (request) => {
    const pool = createPipePool();
    const watch = options.sandbox.network?.watch(networkName, {
      // Whoever installs has said yes to where it comes from; what the settings forbid stays forbidden.
      request: (access) => Promise.resolve(judge(access, options.hosts())),
    });
    try {
      const result = await runWith(request, options.sandbox, pool);
      const isOff = isBehindProxy(options.sandbox.rung()) && options.sandbox.network?.mode() === 'off';
      const off = isOff && result.exitCode !== 0 ? ['the network of commands is off (sandbox.network.mode)'] : [];
      const notes = [...off, ...(watch?.notes() ?? [])];
      return { ...result, tail: [result.tail, ...notes].filter((text) => text !== '').join(' | ') };
    } finally {
      watch?.end();
      pool.close();
    }
  };
}

/** Under which the network knows it: answers given to conversations do not count here, nor the other way round. */
const networkName = 'userland';

function judge(access: Access, hosts: readonly string[]): Decision {
  const isWanted = access.kind === 'url' && hosts.includes(new URL(access.url).hostname);
  return {
    verdict: isWanted ? 'allow' : 'deny',
    reason: isWanted ? 'a mirror of the userland' : 'it is no mirror of the userland',
  };
}

async function runWith(request: TreeRequest, sandbox: Sandbox, pool: PipePool): Promise<TreeResult> {
  if (request.signal.aborted) throw stopped();
  let output: Pipe | undefined;
  const started = await startProgram({
    sandbox,
    pool,
    workspace: request.workspace,
    tree: request.tree,
    conversationId: networkName,
    environment: { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
    shadowed: findInheritedHandles(),
    cwd: () => '/',
    program: () => ['/bin/sh', '-c', request.script, 'sh', ...(request.args ?? [])],
    async streams(owner) {
      [output] = await pool.take(1, owner);
      if (output === undefined) throw new Error('the pool gave no pipe');
      return { stdout: { opened: output.openWriter() }, stderr: { opened: output.openWriter() } };
    },
  });
  if (output === undefined) throw new Error('the program was started without its pipe');
  const kept = createKeeper(request);
  const reader = readPipe(output.openReader(), kept.take);
  const stop = (): void => void endTree(started.target, started.program.exited);
  request.signal.addEventListener('abort', stop, { once: true });
  // It may have come while the program was started.
  if (request.signal.aborted) stop();
  try {
    const { code } = await started.program.exited;
    await reader.ended;
    if (request.signal.aborted) throw stopped();
    const failure = await findStartFailure(started, sandbox, () => Promise.resolve(kept.result().tail));
    if (failure !== undefined) throw failure;
    return { exitCode: code, ...kept.result() };
  } finally {
    request.signal.removeEventListener('abort', stop);
    reader.stop();
    await reader.ended;
    await started.release();
    pool.release([output]);
  }
}

function createKeeper({ onOutput, maxOutputBytes = defaultOutputBytes }: TreeRequest) {
  const decoder = new TextDecoder();
  let output = '';
  let tail = '';
  return {
    take(bytes: Buffer): void {
      const text = decoder.decode(bytes, { stream: true });
      if (output.length < maxOutputBytes) output += text;
      tail = (tail + text).slice(-tailChars);
      onOutput?.(text);
    },
    result: () => ({ output: output.slice(0, maxOutputBytes), tail: lastLines(tail) }),
  };
}

/** The last ones that say something. */
function lastLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .slice(-4)
    .join(' | ');
}

const stopped = (): ToolFailure => new ToolFailure('cancelled', 'The work in the userland was stopped.');
