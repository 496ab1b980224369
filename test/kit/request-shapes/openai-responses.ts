/** What the Responses API accepts of a client that keeps no state there. https://platform.openai.com/docs/api-reference/responses/create */
import {
  fields,
  filledList,
  filledText,
  jsonObjectText,
  list,
  oneOf,
  onlyKeys,
  problemOf,
  refuse,
} from './shape-check.ts';
import { text, toolName, tools } from './shape-check.ts';
import type { Fields } from './shape-check.ts';

const topKeys = [
  'model', 'input', 'instructions', 'tools', 'tool_choice', 'stream', 'store', 'include', 'max_output_tokens',
  'temperature', 'top_p', 'reasoning', 'parallel_tool_calls', 'prompt_cache_key',
]; // prettier-ignore

export function checkOpenAiResponsesRequest(body: unknown): string | undefined {
  return problemOf(() => {
    const request = fields(body, 'body');
    onlyKeys(request, topKeys, 'body');
    filledText(request.model, 'model');
    if (request.stream !== true) refuse('stream: these tests stream');
    tools(request.tools, 'tools', (tool, where) => {
      onlyKeys(tool, ['type', 'name', 'description', 'parameters', 'strict'], where);
      oneOf(tool.type, ['function'], `${where}.type`);
      return { name: tool.name, schema: tool.parameters };
    });
    checkInput(filledList(request.input, 'input'), request.store === false);
  });
}

function checkInput(items: readonly unknown[], isStateless: boolean): void {
  const calls = new Set<string>();
  const waiting = new Set<string>();
  for (const [at, each] of items.entries()) {
    const where = `input[${at}]`;
    const item = fields(each, where);
    const type = item.type === undefined ? 'message' : text(item.type, `${where}.type`);
    if (type === 'message') {
      checkMessage(item, where);
    } else if (type === 'function_call') {
      onlyKeys(item, ['type', 'id', 'call_id', 'name', 'arguments', 'status'], where);
      const id = filledText(item.call_id, `${where}.call_id`);
      if (id.length > 64) refuse(`${where}.call_id: string too long, maximum length 64`);
      if (calls.has(id)) refuse(`${where}.call_id: "${id}" is used twice`);
      calls.add(id);
      waiting.add(id);
      toolName(item.name, `${where}.name`);
      jsonObjectText(item.arguments, `${where}.arguments`);
    } else if (type === 'function_call_output') {
      onlyKeys(item, ['type', 'call_id', 'output', 'status'], where);
      const id = text(item.call_id, `${where}.call_id`);
      if (!waiting.delete(id)) refuse(`No tool call found for function call output with call_id ${id}.`);
      if (typeof item.output !== 'string') checkParts(item.output, `${where}.output`);
    } else if (type === 'reasoning') {
      checkReasoning(item, where, { isStateless, next: items[at + 1] });
    } else {
      refuse(`${where}: unknown type ${type}`);
    }
  }
  if (waiting.size > 0) refuse(`No tool output found for function call ${[...waiting].join(', ')}.`);
}

function checkMessage(item: Fields, where: string): void {
  onlyKeys(item, ['type', 'role', 'content', 'phase'], where);
  const role = oneOf(item.role, ['system', 'developer', 'user', 'assistant'], `${where}.role`);
  if (typeof item.content === 'string') filledText(item.content, `${where}.content`);
  else if (role === 'user') checkParts(item.content, `${where}.content`);
  else refuse(`${where}.content: expected text`);
}

function checkReasoning(item: Fields, where: string, around: { isStateless: boolean; next: unknown }): void {
  onlyKeys(item, ['type', 'id', 'summary', 'encrypted_content'], where);
  for (const [at, part] of list(item.summary, `${where}.summary`).entries()) {
    const place = `${where}.summary[${at}]`;
    oneOf(fields(part, place).type, ['summary_text'], `${place}.type`);
  }
  if (around.isStateless && typeof item.encrypted_content !== 'string') {
    refuse(`Item with id '${String(item.id)}' not found. Items are not persisted when \`store\` is set to false.`);
  }
  const next = around.next as { type?: string; role?: string } | undefined;
  const isFollowed = next && (next.type === 'function_call' || next.type === 'reasoning' || next.role === 'assistant');
  if (!isFollowed)
    refuse(`Item '${String(item.id)}' of type 'reasoning' was provided without its required following item.`);
}

function checkParts(value: unknown, where: string): void {
  for (const [at, each] of filledList(value, where).entries()) {
    const place = `${where}[${at}]`;
    const part = fields(each, place);
    const type = oneOf(part.type, ['input_text', 'input_image'], `${place}.type`);
    if (type === 'input_text') filledText(part.text, `${place}.text`);
    else if (!/^(?:https?:|data:image\/(?:png|jpeg|gif|webp);base64,)/.test(text(part.image_url, place))) {
      refuse(`${place}.image_url: not an image`);
    }
  }
}
