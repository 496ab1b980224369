/** What the Messages API accepts. https://docs.anthropic.com/en/api/messages */
import { fields, filledList, filledText, oneOf, onlyKeys, problemOf, refuse, text } from './shape-check.ts';
import { toolName, tools } from './shape-check.ts';
import type { Fields } from './shape-check.ts';

const topKeys = [
  'model', 'max_tokens', 'messages', 'system', 'tools', 'tool_choice', 'stream', 'temperature', 'top_p', 'top_k',
  'stop_sequences', 'thinking', 'metadata',
]; // prettier-ignore

export function checkAnthropicRequest(
  body: unknown,
  headers: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return problemOf(() => {
    if (!headers['anthropic-version']) refuse('anthropic-version: header is required');
    const request = fields(body, 'body');
    onlyKeys(request, topKeys, 'body');
    filledText(request.model, 'model');
    if (request.stream !== true) refuse('stream: these tests stream');
    if (!Number.isInteger(request.max_tokens) || (request.max_tokens as number) < 1)
      refuse('max_tokens: Field required');
    checkSystem(request.system);
    tools(request.tools, 'tools', (tool, where) => {
      onlyKeys(tool, ['name', 'description', 'input_schema', 'cache_control'], where);
      return { name: tool.name, schema: tool.input_schema };
    });
    checkMessages(filledList(request.messages, 'messages'));
    const marks = JSON.stringify(body).split('"cache_control":{').length - 1;
    if (marks > 4) refuse(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
  });
}

function checkSystem(system: unknown): void {
  if (system === undefined || typeof system === 'string') return;
  for (const [at, each] of filledList(system, 'system').entries()) {
    const block = fields(each, `system[${at}]`);
    onlyKeys(block, ['type', 'text', 'cache_control'], `system[${at}]`);
    filledText(block.text, `system[${at}].text`);
  }
}

function checkMessages(messages: readonly unknown[]): void {
  const ids = new Set<string>();
  let waiting: string[] = [];
  let before = '';
  for (const [at, each] of messages.entries()) {
    const where = `messages.${at}`;
    const message = fields(each, where);
    onlyKeys(message, ['role', 'content'], where);
    const role = oneOf(message.role, ['user', 'assistant'], `${where}.role`);
    if (at === 0 && role !== 'user') refuse('messages: first message must use the "user" role');
    if (role === before) refuse(`${where}: roles must alternate between "user" and "assistant"`);
    before = role;
    const blocks = filledList(message.content, `${where}.content`).map((block, index) => ({
      block: fields(block, `${where}.content.${index}`),
      place: `${where}.content.${index}`,
    }));
    if (role === 'user') {
      checkUser(blocks, waiting);
      waiting = [];
    } else {
      waiting = checkAssistant(blocks, ids);
      if (at === messages.length - 1) refuse('This model does not support assistant message prefill.');
    }
  }
}

type Placed = { readonly block: Fields; readonly place: string };

function checkUser(blocks: readonly Placed[], waiting: readonly string[]): void {
  const open = new Set(waiting);
  let hasOther = false;
  for (const { block, place } of blocks) {
    const type = oneOf(block.type, ['text', 'image', 'tool_result'], `${place}.type`);
    if (type !== 'tool_result') {
      hasOther = true;
      checkContent(block, place);
      continue;
    }
    if (hasOther) refuse(`${place}: tool_result blocks must come first in the message`);
    onlyKeys(block, ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'], place);
    const id = text(block.tool_use_id, `${place}.tool_use_id`);
    if (!open.delete(id)) {
      refuse(
        `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    }
    if (typeof block.content === 'string' || block.content === undefined) continue;
    for (const [at, part] of filledList(block.content, `${place}.content`).entries()) {
      checkContent(fields(part, `${place}.content.${at}`), `${place}.content.${at}`);
    }
  }
  if (open.size > 0) {
    refuse(`\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${[...open].join(', ')}.`);
  }
}

function checkContent(block: Fields, place: string): void {
  const type = oneOf(block.type, ['text', 'image'], `${place}.type`);
  if (type === 'text') {
    onlyKeys(block, ['type', 'text', 'cache_control'], place);
    filledText(block.text, `${place}.text`);
    return;
  }
  onlyKeys(block, ['type', 'source', 'cache_control'], place);
  const source = fields(block.source, `${place}.source`);
  oneOf(source.type, ['base64'], `${place}.source.type`);
  oneOf(source.media_type, ['image/png', 'image/jpeg', 'image/gif', 'image/webp'], `${place}.source.media_type`);
  filledText(source.data, `${place}.source.data`);
}

/** The ids that the next message has to answer. */
function checkAssistant(blocks: readonly Placed[], ids: Set<string>): string[] {
  const waiting: string[] = [];
  for (const [at, { block, place }] of blocks.entries()) {
    const type = oneOf(block.type, ['text', 'tool_use', 'thinking', 'redacted_thinking'], `${place}.type`);
    if (type === 'text') {
      checkContent(block, place);
    } else if (type === 'thinking') {
      onlyKeys(block, ['type', 'thinking', 'signature'], place);
      text(block.thinking, `${place}.thinking`);
      filledText(block.signature, `${place}.signature`);
    } else if (type === 'redacted_thinking') {
      onlyKeys(block, ['type', 'data'], place);
      filledText(block.data, `${place}.data`);
    } else {
      onlyKeys(block, ['type', 'id', 'name', 'input', 'cache_control'], place);
      const id = text(block.id, `${place}.id`);
      if (!/^[a-zA-Z0-9_-]+$/.test(id)) refuse(`${place}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
      if (ids.has(id)) refuse(`${place}: \`tool_use\` ids must be unique`);
      ids.add(id);
      waiting.push(id);
      toolName(block.name, `${place}.name`);
      fields(block.input, `${place}.input`);
    }
    const isThought = type === 'thinking' || type === 'redacted_thinking';
    if (isThought && at === blocks.length - 1)
      refuse(`${place}: the final block in an assistant message cannot be \`thinking\`.`);
    const before = blocks[at - 1]?.block.type;
    if (isThought && (before === 'text' || before === 'tool_use')) refuse(`${place}: thinking must come first`);
  }
  return waiting;
}
