/** What Chat Completions accepts. https://platform.openai.com/docs/api-reference/chat/create */
import { fields, filledList, filledText, jsonObjectText, oneOf, onlyKeys, problemOf, refuse } from './shape-check.ts';
import { text, toolName, tools } from './shape-check.ts';
import type { Fields } from './shape-check.ts';

const topKeys = [
  'model', 'messages', 'tools', 'tool_choice', 'stream', 'stream_options', 'max_tokens', 'max_completion_tokens',
  'temperature', 'top_p', 'stop', 'seed', 'reasoning_effort', 'parallel_tool_calls', 'user',
]; // prettier-ignore

export function checkOpenAiChatRequest(body: unknown): string | undefined {
  return problemOf(() => {
    const request = fields(body, 'body');
    onlyKeys(request, topKeys, 'body');
    filledText(request.model, 'model');
    if (request.stream !== true) refuse('stream: these tests stream');
    tools(request.tools, 'tools', (tool, where) => {
      onlyKeys(tool, ['type', 'function'], where);
      oneOf(tool.type, ['function'], `${where}.type`);
      const declared = fields(tool.function, `${where}.function`);
      onlyKeys(declared, ['name', 'description', 'parameters', 'strict'], `${where}.function`);
      return { name: declared.name, schema: declared.parameters };
    });
    checkMessages(filledList(request.messages, 'messages'));
  });
}

function checkMessages(messages: readonly unknown[]): void {
  const ids = new Set<string>();
  let waiting = new Set<string>();
  for (const [at, each] of messages.entries()) {
    const where = `messages[${at}]`;
    const message = fields(each, where);
    const role = oneOf(message.role, ['system', 'developer', 'user', 'assistant', 'tool'], `${where}.role`);
    if (role !== 'tool' && waiting.size > 0) refuse(missing(waiting));
    if (role === 'tool') {
      onlyKeys(message, ['role', 'tool_call_id', 'content'], where);
      const id = text(message.tool_call_id, `${where}.tool_call_id`);
      if (!waiting.delete(id)) {
        refuse(
          `${where}: messages with role 'tool' must be a response to a preceding message with 'tool_calls' (${id})`,
        );
      }
      if (typeof message.content !== 'string') checkParts(message.content, `${where}.content`, ['text']);
    } else if (role === 'assistant') {
      waiting = checkAssistant(message, where, ids);
    } else {
      onlyKeys(message, ['role', 'content', 'name'], where);
      if (typeof message.content === 'string') filledText(message.content, `${where}.content`);
      else checkParts(message.content, `${where}.content`, ['text', 'image_url']);
    }
  }
  if (waiting.size > 0) refuse(missing(waiting));
}

function missing(waiting: ReadonlySet<string>): string {
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. No response for: ${[...waiting].join(', ')}`;
}

/** The ids that now wait for results. */
function checkAssistant(message: Fields, where: string, ids: Set<string>): Set<string> {
  onlyKeys(message, ['role', 'content', 'tool_calls', 'reasoning_content', 'refusal'], where);
  const waiting = new Set<string>();
  if (message.tool_calls === undefined) {
    filledText(message.content, `${where}.content`);
    return waiting;
  }
  if (message.content !== null && typeof message.content !== 'string')
    refuse(`${where}.content: expected text or null`);
  for (const [at, each] of filledList(message.tool_calls, `${where}.tool_calls`).entries()) {
    const place = `${where}.tool_calls[${at}]`;
    const call = fields(each, place);
    onlyKeys(call, ['id', 'type', 'function', 'extra_content'], place);
    const id = filledText(call.id, `${place}.id`);
    if (id.length > 40) refuse(`${place}.id: string too long, maximum length 40`);
    if (ids.has(id)) refuse(`${place}.id: "${id}" is used twice`);
    ids.add(id);
    waiting.add(id);
    oneOf(call.type, ['function'], `${place}.type`);
    const called = fields(call.function, `${place}.function`);
    toolName(called.name, `${place}.function.name`);
    jsonObjectText(called.arguments, `${place}.function.arguments`);
  }
  return waiting;
}

function checkParts(value: unknown, where: string, allowed: readonly string[]): void {
  for (const [at, each] of filledList(value, where).entries()) {
    const place = `${where}[${at}]`;
    const part = fields(each, place);
    const type = oneOf(part.type, allowed, `${place}.type`);
    if (type === 'text') filledText(part.text, `${place}.text`);
    else if (
      !/^(?:https?:|data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$)/.test(
        text(fields(part.image_url, place).url, place),
      )
    ) {
      refuse(`${place}.image_url.url: not an image`);
    }
  }
}
