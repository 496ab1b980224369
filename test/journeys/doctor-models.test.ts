/** What `handrail doctor` says of the models that can be used. */
import { expect, test } from 'vitest';
import { createProgramWorld } from '../kit/program.ts';

test('[K73] window and price of each model, the user’s own figures before ours', async () => {
  const world = createProgramWorld({ ANTHROPIC_API_KEY: 'k1', OPENAI_API_KEY: 'k2', GEMINI_API_KEY: 'k3' });
  world.writeSettings({
    prices: { 'mine/*': { input: 0.5, output: 1 }, 'gemini/gemini-2.5-*': { input: 7, output: 8, cachedInput: 1 } },
    models: [
      {
        service: 'mine',
        dialect: 'openai-chat',
        baseUrl: 'http://127.0.0.1:9/v1',
        models: ['gpt-4o'],
        nativeCalls: false,
      },
      { service: 'ollama', dialect: 'openai-chat', models: ['llama3.2:3b', 'qwen3:8b', 'qwen3:32b'] },
    ],
    fallback: ['nowhere/x'],
  });
  const { stdout } = await world.run(['doctor']);
  for (const line of [
    'nowhere/x (settings): There is no model service "nowhere".',
    'mine/gpt-4o (settings): window 128000 tokens; per million tokens $0.5 in, $1 out; calls tools by text markers',
    'ollama/llama3.2:3b (settings): window 8192 tokens; price unknown; small',
    'ollama/qwen3:8b (settings): window 16384 tokens; price unknown; small',
    'ollama/qwen3:32b (settings): window 32768 tokens; price unknown',
    'anthropic/claude-sonnet-4-5 (ANTHROPIC_API_KEY): window 200000 tokens; per million tokens $3 in, $0.3 cached, $3.75 to cache, $15 out',
    'gemini/gemini-2.5-pro (GEMINI_API_KEY): window 1048576 tokens; per million tokens $7 in, $1 cached, $8 out',
    'openai/gpt-5 (OPENAI_API_KEY): window 400000 tokens; per million tokens $1.25 in, $0.125 cached, $10 out',
  ])
    expect(stdout).toContain(line);
});
