/** `handrail mcp`: the tools for other agents, over stdio, in MCP 2025-11-25 (and before) and 2026-07-28. */
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type * as McpSdk from '@modelcontextprotocol/server';
import type { ClientCapabilities, Server, ServerContext } from '@modelcontextprotocol/server';
import type { Handrail } from '../../contract/handrail.ts';
import type { ApproveMode } from '../../contract/permission.ts';
import { escapeInvisible } from '../../base/escape-invisible.ts';
import { createCallHandler, type CallHandler } from './call-handler.ts';
import { createLineTransport } from './line-transport.ts';
import { createSuspendedCalls } from './suspended-calls.ts';
import { createToolList, describeForClient, type ToolList } from './tool-list.ts';
import type { CheckShape } from './tool-result.ts';
import { createToolRuns } from './tool-runs.ts';

export type ServeMcpOptions = {
  readonly handrail: Handrail;
  readonly approve: ApproveMode;
  /** Names or aliases; omitted: every tool that is on. Rejects with MisuseFailure when one is unknown. */
  readonly tools?: readonly string[];
  readonly stdin: Readable;
  /** Carries the protocol and nothing else. */
  readonly stdout: Writable;
  /** One line for people, without an end; belongs on stderr. Must not throw. */
  readonly onProblem: (line: string) => void;
  readonly limits?: Partial<McpLimits>;
};

export type McpLimits = {
  /** Omitted: 32 MB, so that the largest file that may be written arrives also when every byte of it is escaped once. */
  readonly maxLineBytes: number;
  /** Omitted: 10 minutes. A question that is open longer is a no. */
  readonly answerTimeoutMs: number;
  /** For requests that are running when stdin ends. Omitted: 1 second. */
  readonly graceMs: number;
};

const defaultLimits: McpLimits = { maxLineBytes: 32 * 1024 * 1024, answerTimeoutMs: 600_000, graceMs: 1_000 };
/** Calls end within two seconds of being cancelled; one that does not must not keep the process. */
const maxEndMs = 5_000;

/** Resolves when the client is gone and its calls have ended. Rejects only before it has begun to speak. */
export async function serveMcp(options: ServeMcpOptions): Promise<void> {
  const { handrail, approve } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const onProblem = (line: string) => options.onProblem(escapeInvisible(line.slice(0, 500), 'nothing'));
  const [tools, instructions, sdk, { serveStdio }] = await Promise.all([
    createToolList(handrail, options.tools, onProblem),
    instructionsFor(handrail, approve, onProblem),
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const runs = createToolRuns({ handrail, approve, conversationId: `mcp-${randomUUID()}`, onProblem });
  const suspended = createSuspendedCalls({ runs, answerTimeoutMs: limits.answerTimeoutMs });
  const call = createCallHandler({
    tools,
    runs,
    suspended,
    onProblem,
    answerTimeoutMs: limits.answerTimeoutMs,
    checkShape: await createShapeCheck(),
    invalidParams: (message) => new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, message),
  });

  const stuck = await new Promise<readonly string[]>((resolve) => {
    const { stdin, stdout } = options;
    const { maxLineBytes, graceMs } = limits;
    const onGone = () => {
      suspended.close();
      resolve(runs.end(maxEndMs));
    };
    const parse = sdk.parseJSONRPCMessage;
    const transport = createLineTransport({ stdin, stdout, maxLineBytes, graceMs, parse, onGone });
    serveStdio(({ era }) => createServer(sdk, { handrail, instructions, tools, call, isModern: era === 'modern' }), {
      transport,
      onerror: (error) => onProblem(error.message),
    });
  });
  if (stuck.length > 0) onProblem(`still running although cancelled: ${stuck.join(', ')}`);
}

type ServerParts = {
  readonly handrail: Handrail;
  readonly instructions: string;
  readonly tools: ToolList;
  readonly call: CallHandler;
  readonly isModern: boolean;
};

// The low-level class: our schemas are JSON Schema already, and the list may change between two requests.
function createServer(sdk: typeof McpSdk, parts: ServerParts): Server {
  const { handrail, instructions, tools, call, isModern } = parts;
  const server = new sdk.Server(
    { name: 'handrail', title: 'Handrail', version: handrail.version },
    { capabilities: { tools: {} }, instructions, inputRequired: { legacyShim: false } },
  );
  server.setRequestHandler('tools/list', async ({ params }) => {
    if (params?.cursor !== undefined)
      throw new sdk.ProtocolError(
        sdk.ProtocolErrorCode.InvalidParams,
        'The list of tools has one page; send no cursor.',
      );
    return { tools: (await tools.offered()).map(describeForClient) };
  });
  const capabilitiesOf = (context: ServerContext): ClientCapabilities | undefined => {
    if (!isModern) return server.getClientCapabilities();
    // The SDK checks the envelope of each request before it comes here; its type only does not name the key.
    const envelope = context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
    return envelope?.[sdk.CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  };
  server.setRequestHandler('tools/call', ({ params }, context) =>
    call(params, context, { isModern, capabilities: capabilitiesOf(context) }),
  );
  return server;
}

/** The SDK's own validator, made when the first result with a shape comes. */
async function createShapeCheck(): Promise<CheckShape> {
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/server/validators/ajv');
  const validator = new AjvJsonSchemaValidator();
  return (schema, value) => {
    const checked = validator.getValidator(schema as Parameters<typeof validator.getValidator>[0])(value);
    return checked.valid ? undefined : checked.errorMessage;
  };
}

const approveWords: Readonly<Record<ApproveMode, string>> = {
  ask: 'What leaves the workspace or destroys work asks the person through elicitation; where the client cannot ask, it is refused.',
  all: 'Every question is answered with yes (--approve all); hard denials stay.',
  none: 'Whatever would need a question is refused (--approve none).',
};

async function instructionsFor(
  handrail: Handrail,
  approve: ApproveMode,
  onProblem: (line: string) => void,
): Promise<string> {
  const rung = await handrail.rung().catch((error: unknown) => {
    // A missing sandbox is told by each call that needs it, with the command that mends it; the rest of the tools work.
    onProblem(error instanceof Error ? error.message : String(error));
    return 'not available';
  });
  return [
    `These tools work on this machine, in the workspace ${handrail.workspace}; relative paths start there.`,
    `Commands run in the sandbox: ${rung}.`,
    approveWords[approve],
    'Shell state and allowances last as long as this connection.',
  ].join(' ');
}
