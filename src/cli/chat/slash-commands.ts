/** The names of the chat's own commands and what they do. */

export type SlashCommand = {
  readonly name: string;
  /** What may follow it. */
  readonly usage: string;
  readonly does: string;
  /** May be used while something runs. */
  readonly isImmediate: boolean;
};

export const slashCommands = [
  { name: 'help', usage: '', does: 'what you can type here', isImmediate: true },
  { name: 'model', usage: '[name]', does: 'choose the model', isImmediate: true },
  { name: 'tools', usage: '[name]', does: 'the tools, or one with its arguments', isImmediate: true },
  { name: 'show', usage: '[n]', does: 'the whole of the last result, or of the nth last', isImmediate: true },
  { name: 'new', usage: '', does: 'start a new conversation', isImmediate: false },
  { name: 'resume', usage: '[id]', does: 'go on with an earlier conversation', isImmediate: false },
  { name: 'grants', usage: '', does: 'what you have allowed, and revoke it', isImmediate: true },
  { name: 'rung', usage: '', does: 'the sandbox in force', isImmediate: true },
  { name: 'doctor', usage: '', does: 'check the machine, with the fix for each problem', isImmediate: true },
  { name: 'quit', usage: '', does: 'leave', isImmediate: true },
] as const satisfies readonly SlashCommand[];

export type SlashName = (typeof slashCommands)[number]['name'];

const otherNames: Readonly<Record<string, SlashName>> = {
  exit: 'quit',
  q: 'quit',
  models: 'model',
  '?': 'help',
  clear: 'new',
  continue: 'resume',
};

export function findSlashCommand(name: string): (typeof slashCommands)[number] | undefined {
  const wanted = otherNames[name.toLowerCase()] ?? name.toLowerCase();
  return slashCommands.find((each) => each.name === wanted);
}
