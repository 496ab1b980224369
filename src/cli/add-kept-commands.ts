/** The options of `handrail conversations`. */
import { type Command, Option } from 'commander';
import type { CommandLine } from './face.ts';

type Wrap = (
  action: (options: Record<string, never>, ...rest: never[]) => Promise<number>,
) => (...given: unknown[]) => Promise<void>;

export function addKeptCommands(program: Command, face: CommandLine, act: Wrap): void {
  const conversations = program.command('conversations').description('What was said and done before');
  conversations
    .command('list', { isDefault: true })
    .description('List them, newest first')
    .option('--json', 'as JSON')
    .action(act(async (options) => (await import('./conversations-command.ts')).listConversations(face, options)));
  conversations
    .command('export <id>')
    .description('Write one to standard output, to read or with every event')
    .addOption(new Option('--format <format>', 'default: markdown').choices(['markdown', 'json']))
    .action(
      act(async (options, id) => (await import('./conversations-command.ts')).writeConversation(face, id, options)),
    );
  conversations
    .command('remove <id>')
    .description('Remove one with its shell, jobs and terminals')
    .action(act(async (_options, id) => (await import('./conversations-command.ts')).removeConversation(face, id)));
}
