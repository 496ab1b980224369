// The floor: the least that can be called an agent. Fetch loop, readFile, spawn; no journal, no sandbox, no checks.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const messages = [{ role: 'user', content: process.argv[2] }];
const schema = (properties) => ({ type: 'object', properties });
const tools = [
  {
    type: 'function',
    function: {
      name: 'read_file',
      description: 'Read a file',
      parameters: schema({ path: { type: 'string' }, limit: { type: 'integer' } }),
    },
  },
  {
    type: 'function',
    function: {
      name: 'execute_shell_command',
      description: 'Run a command',
      parameters: schema({ command: { type: 'string' } }),
    },
  },
];

const shell = (command) =>
  new Promise((resolve) => {
    const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (chunk) => (text.length < 20_000 ? (text += chunk) : undefined));
    child.on('close', () => resolve(text.slice(0, 20_000)));
  });

const run = ({ name, arguments: text }) => {
  const input = JSON.parse(text);
  return name === 'read_file' ? readFile(input.path, 'utf8') : shell(input.command);
};

for (;;) {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'bench', stream: true, messages, tools }),
  });
  const message = { role: 'assistant', content: '', tool_calls: [] };
  for (const line of (await response.text()).split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const delta = JSON.parse(line.slice(6)).choices[0].delta;
    if (delta.content) message.content += delta.content;
    if (delta.tool_calls) message.tool_calls.push(...delta.tool_calls);
  }
  if (message.tool_calls.length === 0) break;
  messages.push(message);
  const results = await Promise.all(message.tool_calls.map((call) => run(call.function)));
  messages.push(...results.map((content, at) => ({ role: 'tool', tool_call_id: message.tool_calls[at].id, content })));
}
