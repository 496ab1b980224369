/** What a sent line means: a message, a shell command, a tool call or one of the chat's own commands. */
import { editDistance } from '../../base/edit-distance.ts';
import type { ToolStatus } from '../../contract/handrail.ts';
import { findSlashCommand, slashCommands, type SlashName } from './slash-commands.ts';
import { splitTypedCall } from './typed-call.ts';

export type Submission =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'shell'; readonly command: string }
  | { readonly kind: 'slash'; readonly name: SlashName; readonly rest: string; readonly isImmediate: boolean }
  | { readonly kind: 'tool'; readonly tool: ToolStatus; readonly calledAs: string; readonly rest: string }
  | { readonly kind: 'unknown'; readonly name: string; readonly suggestions: readonly string[] };

/** A text that begins with two slashes or "\!" is a message that begins with one slash or "!". */
export function readSubmission(text: string, tools: readonly ToolStatus[]): Submission {
  const trimmed = text.trim();
  if (trimmed.startsWith('//')) return { kind: 'message', text: trimmed.slice(1) };
  if (/^\\[!/]/.test(trimmed)) return { kind: 'message', text: trimmed.slice(1) };
  if (trimmed.startsWith('!')) return { kind: 'shell', command: trimmed.slice(1).trim() };
  if (trimmed === '/') return { kind: 'slash', name: 'help', rest: '', isImmediate: true };
  const call = splitTypedCall(trimmed.replace(/^\/\?$/, '/help'));
  if (call === undefined) return { kind: 'message', text: trimmed };
  const command = findSlashCommand(call.name);
  if (command !== undefined)
    return { kind: 'slash', name: command.name, rest: call.rest, isImmediate: command.isImmediate };
  const name = call.name.toLowerCase().replaceAll('-', '_');
  const tool = tools.find((each) => each.name === name || each.aliases.includes(name));
  if (tool !== undefined) return { kind: 'tool', tool, calledAs: name, rest: call.rest };
  return { kind: 'unknown', name: call.name, suggestions: nearest(name, tools) };
}

function nearest(name: string, tools: readonly ToolStatus[]): readonly string[] {
  const names = [...slashCommands.map((each) => each.name), ...tools.map((tool) => tool.name)];
  const far = Math.max(2, Math.floor(name.length / 3));
  return names
    .map((each) => ({ each, distance: each.includes(name) || name.includes(each) ? 1 : editDistance(each, name) }))
    .filter(({ distance }) => distance <= far)
    .sort((left, right) => left.distance - right.distance)
    .slice(0, 3)
    .map(({ each }) => `/${each}`);
}
