/** The user's own list of commands that the tool `terminal` may run: every command of a chain must be on it. */
import { everyCommandMatches } from './read-command/match-rule.ts';
import { readCommand } from './read-command/read-command.ts';
import type { ReadContext } from './read-command/scope.ts';

/** What of the text the list does not hold, in words; undefined when it holds all of it. `*` in the list: everything. */
export function findNotListed(text: string, list: readonly string[], context: ReadContext): string | undefined {
  if (list.some((entry) => entry.trim() === '*')) return undefined;
  // A command's name alone stands for the command with whatever arguments.
  const patterns = list.map((entry) => (/\s/.test(entry.trim()) ? entry : `${entry.trim()} *`));
  const reading = readCommand(text, context);
  if (everyCommandMatches(patterns, reading)) return undefined;
  const culprit = reading.commands.find(
    (command) =>
      !everyCommandMatches(patterns, { ...reading, findings: [], commands: [command] }) && command.head !== '',
  );
  return `"${shorten(culprit?.text ?? text)}"`;
}

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
