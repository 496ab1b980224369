/** Reads a model's name, `service/model`; what follows the first slash is the provider's own name and may hold anything. */
import { MisuseFailure } from '../contract/failure.ts';

export type ModelName = { readonly service: string; readonly modelId: string };

export function parseModelName(name: string): ModelName {
  const trimmed = name.trim();
  const slash = trimmed.indexOf('/');
  const service = slash === -1 ? trimmed : trimmed.slice(0, slash);
  const modelId = slash === -1 ? '' : trimmed.slice(slash + 1);
  if (service === '' || modelId === '') {
    throw new MisuseFailure(
      `"${trimmed.slice(0, 100)}" is not the name of a model. Write service/model, for example anthropic/claude-sonnet-4-5, openai/gpt-5 or ollama/qwen3:8b.`,
    );
  }
  return { service, modelId };
}
