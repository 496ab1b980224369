/** The commands about what models may do: which tools there are, and what people have allowed. */
import type { Command } from 'commander';
import type { CommandLine } from './face.ts';

type Action = (options: Record<string, never>, ...rest: never[]) => Promise<number>;
type Wrap = (action: Action) => (...given: unknown[]) => Promise<void>;

export function addPermissionCommands(program: Command, face: CommandLine, act: Wrap): void {
  const tools = program.command('tools').description('The tools, and which of them are on');
  tools
    .command('list', { isDefault: true })
    .description('List them')
    .option('--json', 'with schemas, as JSON')
    .option('--offered', 'only those a model is offered')
    .action(act(async (options) => (await import('./tools-command.ts')).toolsCommand(face, options)));
  tools
    .command('enable <name>')
    .description('Turn one on, in settings.json')
    .action(act(async (_options, name) => (await import('./switch-tool.ts')).switchTool(face, name, true)));
  tools
    .command('disable <name>')
    .description('Turn one off, in settings.json')
    .action(act(async (_options, name) => (await import('./switch-tool.ts')).switchTool(face, name, false)));
  const grants = program.command('grants').description('What you have allowed for longer than once');
  grants
    .command('list', { isDefault: true })
    .description('List it, of all conversations')
    .option('--json', 'as JSON')
    .option('--conversation <id>', 'only what holds in this one')
    .action(act(async (options) => (await import('./grants-command.ts')).listGrants(face, options)));
  grants
    .command('revoke [id]')
    .description('Take one back, or all')
    .option('--all', 'all of them')
    .action(act(async (options, id) => (await import('./grants-command.ts')).revokeGrants(face, id, options)));
}
