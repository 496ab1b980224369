/** The options of `handrail log`. */
import { type Command, Option } from 'commander';
import type { CommandLine } from './face.ts';

type Wrap = (
  action: (options: Record<string, never>, ...rest: never[]) => Promise<number>,
) => (...given: unknown[]) => Promise<void>;

export function addLogCommands(
  program: Command,
  face: CommandLine,
  act: Wrap,
  positiveInteger: (text: string) => number,
): void {
  const log = program
    .command('log')
    .description('Every call: who asked, what ran, what was decided and why, what became of it')
    .option('--json', 'as JSON')
    .option('--tool <name>', 'only calls of this tool')
    .option('--conversation <id>', 'only calls of this conversation')
    .option('--since <time>', 'only later ones: 30m, 2h, 7d, or a date')
    .option('--failed', 'only those that failed')
    .option('--denied', 'only those that were not allowed')
    .addOption(new Option('--origin <who>', 'only those asked for by').choices(['model', 'user', 'mcp', 'library']))
    .addOption(new Option('--limit <n>', 'calls at most (default: 50)').argParser(positiveInteger))
    .action(act(async (options) => (await import('./log-command.ts')).listCalls(face, options)));
  log
    .command('show <call>')
    .description('Show one with its arguments and the head of its result')
    .option('--json', 'as JSON')
    .action(act(async (options, call) => (await import('./log-command.ts')).showCall(face, call, options)));
}
