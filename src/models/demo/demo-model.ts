/** A scripted model for `handrail demo`: named as such, and everything it asks for is done for real. */
import type { AssistantMessage } from '../../contract/message.ts';
import type { ModelClient, ModelEvent, ModelRequest } from '../../contract/model.ts';

type DemoCall = { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };
type DemoStep = { readonly text: string; readonly calls: readonly DemoCall[] };

const script: readonly DemoStep[] = [
  {
    text: 'I am a script, not a model. First I write two files, both at once.\n',
    calls: [
      { tool: 'write_file', input: { path: 'greet.py', content: 'import sys\n\nprint(f"Hello, {sys.argv[1]}!")\n' } },
      { tool: 'write_file', input: { path: 'notes.md', content: '# Notes\n\nTODO: greet the user\n' } },
    ],
  },
  {
    text: 'Now I look for what is left to do, and run the program in the sandbox.\n',
    calls: [
      { tool: 'grep', input: { pattern: 'TODO' } },
      {
        tool: 'execute_shell_command',
        input: {
          command:
            'python3 greet.py world || sh -c "echo Hello, world!"; echo; echo "Who can read your keys? ls ~/.ssh says:"; ls ~/.ssh',
        },
      },
    ],
  },
  {
    text: 'An edit, and something that destroys work: that needs your yes, and without one it is not done.\n',
    calls: [
      {
        tool: 'edit_file',
        input: { path: 'notes.md', oldString: 'TODO: greet the user', newString: 'Done: greeted the user' },
      },
      { tool: 'execute_shell_command', input: { command: 'rm greet.py', summary: 'Remove the program' } },
    ],
  },
];

const ending =
  'That was the loop: text, calls, results, all of it in the journal. The files were real, the commands ran in the sandbox, and the removal waited for a yes. Connect a model to do real work: `handrail doctor` tells how.';

export function createDemoModel(): ModelClient {
  return {
    info: {
      id: 'demo/script',
      contextWindow: 100_000,
      maxOutputTokens: 4_096,
      acceptsImages: false,
      hasNativeCalls: true,
      isSmall: false,
    },
    stream: (request) => play(request),
  };
}

async function* play(request: ModelRequest): AsyncGenerator<ModelEvent> {
  const said = request.messages.filter((message) => message.role === 'assistant').length;
  const step = request.tools.length === 0 ? undefined : script[said];
  const text = step?.text ?? ending;
  yield { type: 'text-delta', text };
  const calls = (step?.calls ?? []).map((call, at) => ({
    type: 'call' as const,
    callId: `demo-${said}-${at}`,
    tool: call.tool,
    input: JSON.stringify(call.input),
  }));
  const message: AssistantMessage = { role: 'assistant', parts: [{ type: 'text', text }, ...calls] };
  const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 };
  yield { type: 'end', message, usage, finish: calls.length > 0 ? 'calls' : 'answer' };
}
