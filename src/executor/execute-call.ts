/**
 * One call from name and arguments to an outcome: find, parse, gate, resolve, decide, ask, run, trim, record. This is the
 * only way to a tool, whoever calls. Nothing a tool does ends a turn: every failure becomes an outcome.
 */
import type { Access, ResolvedAccess } from '../contract/access.ts';
import { ToolFailure } from '../contract/failure.ts';
import type { CallOutcome } from '../contract/output.ts';
import type { Decision } from '../contract/permission.ts';
import type { Tool, ToolDescriptor } from '../contract/tool.ts';
import { approveCall, approveMore } from './approve-call.ts';
import type { Call, CallContext } from '../contract/call.ts';
import type { ExecutorParts } from './executor-parts.ts';
import { outcomeOfFailure } from './failure-outcome.ts';
import { type OpenCall, openCall } from './open-call.ts';
import { type ReadArguments, readArguments } from './read-arguments.ts';
import { type RunClock, runLimited } from './run-limited.ts';
import { recordEnd, recordStart } from './record-call.ts';
import { suggestName } from './suggest-name.ts';
import { trimOutput } from './trim-output.ts';
import { withRepairs } from './with-repairs.ts';

/** A call that may run. */
type ReadyCall = {
  readonly call: Call;
  readonly descriptor: ToolDescriptor;
  readonly tool: Tool;
  readonly input: unknown;
  /** What had to be mended in its arguments. */
  readonly repairs: readonly string[];
  readonly open: OpenCall;
  readonly decision: Decision;
};

/** `start` settles when the call may run or has failed; `outcome` when it has ended. So calls are checked in order and run together. */
export type StartedCall = { readonly outcome: Promise<CallOutcome> };

export async function startCall(
  parts: ExecutorParts,
  call: Call,
  context: CallContext,
  callsTogether = 1,
): Promise<StartedCall> {
  const startedAt = performance.now();
  try {
    const ready = await prepare(parts, call, context, callsTogether);
    const outcome = runAndTrim(parts, ready, context)
      .catch((error: unknown) => outcomeOfFailure(error, call, parts.log))
      .then((ended) => ready.open.withStrangers(withRepairs(ended, ready.repairs)));
    return { outcome: outcome.then((ended) => recordEnd(call, ended, ready.decision, startedAt, context)) };
  } catch (error) {
    const decision: Decision = {
      verdict: 'deny',
      reason: error instanceof ToolFailure ? error.message : 'the call could not be prepared',
    };
    return { outcome: recordEnd(call, outcomeOfFailure(error, call, parts.log), decision, startedAt, context) };
  }
}

async function prepare(
  parts: ExecutorParts,
  call: Call,
  context: CallContext,
  callsTogether: number,
): Promise<ReadyCall> {
  const found = parts.registry.getDescriptor(call.tool);
  if (call.refusal !== undefined) {
    await recordStart(call, found, found?.title ?? call.tool, '', context);
    throw new ToolFailure('too_large', call.refusal);
  }
  if (found === undefined) {
    await recordStart(call, undefined, call.tool, '', context);
    throw new ToolFailure(
      'not_found',
      `There is no tool named "${shorten(call.tool)}".${suggestName(shorten(call.tool), namesOfTools(parts))}`,
    );
  }
  const gate = parts.closedGate(found);
  // Permission comes before loading: a tool that is off is never made.
  const tool = gate === undefined ? await parts.registry.get(found.name) : undefined;
  if (tool === undefined) {
    await recordStart(call, found, found.title, '', context);
    throw new ToolFailure('denied', `${found.name} is not available: ${gate}.`);
  }
  const { exact, input, repairs } = await parse(parts, { tool, call, descriptor: found }, context);
  const accesses = await resolve(parts, tool, input, context);
  const open = openCall(parts, { callId: call.callId, descriptor: found, accesses, callsTogether }, context);
  const decision = await approveCall(
    parts,
    { call: exact, descriptor: found, tool, input, scope: open.scope },
    context,
  );
  if (decision.verdict === 'deny') throw new ToolFailure('denied', `Not done: ${decision.reason}.`);
  return { call: exact, descriptor: found, tool, input, repairs, open, decision };
}

/** What is off is named to nobody. */
const namesOfTools = ({ registry, closedGate }: ExecutorParts): readonly string[] =>
  registry
    .descriptors()
    .filter((tool) => closedGate(tool) === undefined)
    .map(({ name }) => name);

/** Models send names of any length; no tool's is longer. */
const shorten = (name: string): string => (name.length > 80 ? `${name.slice(0, 79)}…` : name);

type CallToParse = Pick<ReadyCall, 'tool' | 'call' | 'descriptor'>;

async function parse(parts: ExecutorParts, { tool, call, descriptor }: CallToParse, context: CallContext) {
  let read: ReadArguments;
  try {
    read = await readArguments(parts.redactor, tool, call);
  } catch (error) {
    await recordStart(call, descriptor, descriptor.title, '', context);
    throw error;
  }
  await recordStart(read.shown, descriptor, descriptor.title, tool.summary(read.input), context, read.repairs);
  return read;
}

function resolve(
  parts: ExecutorParts,
  tool: Tool,
  input: unknown,
  context: CallContext,
): Promise<readonly ResolvedAccess[]> {
  return Promise.all(tool.access(input).map((access) => parts.resolveAccess(access, context.conversation)));
}

async function runAndTrim(parts: ExecutorParts, ready: ReadyCall, context: CallContext): Promise<CallOutcome> {
  const { tool, input, call, descriptor } = ready;
  const timeoutMs =
    typeof tool.timeoutMs === 'function' ? tool.timeoutMs(input) : (tool.timeoutMs ?? descriptor.timeoutMs);
  try {
    const output = await runLimited(
      async (signal, clock) => {
        const request = (access: Access): Promise<Decision> =>
          requestMore(parts, { ready, access, clock, signal }, context);
        const services = await parts.services.bind(tool.needs, { ...ready.open.scope, signal, request });
        return tool.run(input, services, {
          signal,
          conversation: context.conversation,
          calledAs: call.tool,
          emit: (progress) =>
            void context.record({ type: 'tool-progress', callId: call.callId, ...progress }).catch(parts.log),
        });
      },
      { signal: context.signal, timeoutMs, name: call.tool },
    );
    return await trimOutput(output, descriptor.maxChars, parts.keepArtifact);
  } finally {
    parts.registry.release(descriptor.name);
  }
}

type MoreWanted = {
  readonly ready: ReadyCall;
  readonly access: Access;
  readonly clock: RunClock;
  readonly signal: AbortSignal;
};

/** What shows only while the call runs: decided and asked like the rest of it, and no time of its own passes meanwhile. */
async function requestMore(parts: ExecutorParts, wanted: MoreWanted, context: CallContext): Promise<Decision> {
  const { ready, access, clock, signal } = wanted;
  const resume = clock.pause();
  try {
    const resolved = await parts.resolveAccess(access, context.conversation);
    const scope = { ...ready.open.scope, granted: [resolved], signal };
    const decision = await approveMore(parts, { ...ready, scope }, context);
    if (decision.verdict === 'allow') ready.open.allowOnce(resolved);
    return decision;
  } finally {
    resume();
  }
}
