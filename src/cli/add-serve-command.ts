/** `handrail serve`: its options. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandLine } from './face.ts';

type Wrap = (
  action: (options: Record<string, never>, ...rest: never[]) => Promise<number>,
) => (...given: unknown[]) => Promise<void>;

export function addServeCommand(program: Command, face: CommandLine, act: Wrap): void {
  program
    .command('serve')
    .description('Serve the web app to browsers on this machine')
    .addOption(new Option('--host <address>', 'the address to listen at').default('127.0.0.1'))
    .addOption(new Option('--port <n>', 'the port; 0: any that is free').argParser(portNumber).default(4747))
    .addOption(
      new Option('--name <host>', 'a name by which a proxy hands requests on; may be repeated').argParser(
        (value: string, earlier: readonly string[] | undefined) => [...(earlier ?? []), hostName(value)],
      ),
    )
    .option(
      '--password-file <file>',
      'holds the password, without which other machines are not served (default: the secret HANDRAIL_WEB_PASSWORD)',
    )
    .option('--workspace <folder>', 'where new conversations work (default: the current directory)')
    .option('--no-workspace', 'each new conversation gets a folder of its own, unless it names one')
    .option('--open', 'open it in the browser of this desktop')
    .option('--no-open', 'do not')
    .action(act(async (options) => (await import('./serve-command.ts')).serveCommand(face, options as never)));
}

function portNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return Number(text);
}

function hostName(text: string): string {
  if (!/^[a-z0-9.-]+(?::\d+)?$/i.test(text))
    throw new InvalidArgumentError('It must be a host name, for example hand.example.org.');
  return text;
}
