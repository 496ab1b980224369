/**
 * Reads a shell text only to decide whether to ask about it. The sandbox is the wall; this reader is
 * the courtesy in front of it. It never runs anything, and what it cannot read it says so: that asks.
 */
import { addUnreadable, createCollector, type CommandReading } from './command-reading.ts';
import { parseText } from './syntax/parse-script.ts';
import { createScope, type ReadContext } from './scope.ts';
import { maxSourceLength } from './syntax/unreadable.ts';
import { walkList } from './walk-tree.ts';

/** Total: never throws, and takes time in proportion to the length of the text. */
export function readCommand(text: string, context: ReadContext): CommandReading {
  const collector = createCollector(context, text.length);
  if (text.length > maxSourceLength) {
    addUnreadable(collector, text);
    return { heads: ['?'], findings: collector.findings, commands: [], shellChanges: ['?'], overrides: ['?'] };
  }
  const parsed = parseText(text, undefined, 0);
  walkList(parsed.list, [context.cwd], createScope(parsed.notes), collector);
  const heads = collector.commands.flatMap(({ head }) => (head === '' ? [] : [head]));
  for (const name of parsed.notes.functions) collector.shellChanges.add(name);
  if (parsed.failure !== undefined) {
    addUnreadable(collector, text);
    // Nobody may take a list that breaks off for a complete one.
    heads.push('?');
    collector.shellChanges.add('?');
  }
  return {
    heads,
    findings: collector.findings,
    commands: collector.commands,
    shellChanges: [...collector.shellChanges],
    overrides: [...collector.overrides],
  };
}
