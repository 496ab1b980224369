/** A model of zero latency for measurements: OpenAI Chat Completions over real HTTP, its turns decided by the question alone. */
import { createServer, type IncomingMessage } from 'node:http';

/** The machine's clock in milliseconds, comparable between processes. */
const nowMs = () => performance.timeOrigin + performance.now();

type Body = {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly unknown[];
};
const firstNumber = 1_000;

type Plan = {
  readonly rounds: number;
  readonly calls: (round: number) => readonly { readonly name: string; readonly input: unknown }[];
};

/** `plan` as JSON in the user's message: `{"tool":…, "input":…, "rounds":…, "parallel":…}`; `$n` in the input becomes a number that no two calls share. */
function planOf(body: Body): Plan {
  const first = body.messages.find((message) => message.role === 'user')?.content;
  const parts = typeof first === 'string' ? [{ text: first }] : (first as readonly { readonly text?: string }[]);
  const text = parts.map((part) => part.text ?? '').join('');
  const plan = JSON.parse(/PLAN(\{.*\})/s.exec(text)?.[1] ?? '{}') as {
    tool?: string;
    input?: unknown;
    rounds?: number;
    parallel?: number;
  };
  return {
    rounds: plan.rounds ?? 0,
    calls: (round) =>
      Array.from({ length: plan.parallel ?? 1 }, (_, at) => ({
        name: plan.tool ?? 'none',
        input: JSON.parse(
          JSON.stringify(plan.input ?? {}).replaceAll(/"\$n"|\$n/g, String(firstNumber + round + at)),
        ) as unknown,
      })),
  };
}

export type Arrival = { readonly atMs: number; readonly bytes: number; readonly sinceAnswerMs: number | undefined };

/** Starts it on loopback; `arrivals` grows with each request. */
export async function startBenchModel(): Promise<{
  url: string;
  arrivals: Arrival[];
  reset(): void;
  close(): Promise<void>;
}> {
  const arrivals: Arrival[] = [];
  let answeredAtMs: number | undefined;
  const server = createServer((request, response) => {
    const atMs = nowMs();
    void readBody(request).then((text) => {
      arrivals.push({
        atMs,
        bytes: Buffer.byteLength(text),
        sinceAnswerMs: answeredAtMs === undefined ? undefined : atMs - answeredAtMs,
      });
      const body = JSON.parse(text) as Body;
      const plan = planOf(body);
      const round = body.messages.filter((message) => message.role === 'assistant').length;
      const delta =
        round < plan.rounds && (body.tools?.length ?? 0) > 0
          ? { tool_calls: plan.calls(round).map(toToolCall(round)) }
          : { content: 'done' };
      const finish = 'content' in delta ? 'stop' : 'tool_calls';
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const chunk = (choice: object) =>
        `data: ${JSON.stringify({ id: 'bench', object: 'chat.completion.chunk', created: 0, model: 'bench', choices: [{ index: 0, ...choice }] })}\n\n`;
      response.end(
        `${chunk({ delta: { role: 'assistant', ...delta } })}${chunk({ delta: {}, finish_reason: finish })}data: [DONE]\n\n`,
      );
      answeredAtMs = nowMs();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The bench model has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    arrivals,
    reset: () => {
      arrivals.length = 0;
      answeredAtMs = undefined;
    },
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

const toToolCall = (round: number) => (call: { name: string; input: unknown }, at: number) => ({
  index: at,
  id: `call_${round}_${at}`,
  type: 'function',
  function: { name: call.name, arguments: JSON.stringify(call.input) },
});

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
