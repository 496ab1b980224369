/** The commands below `handrail sandbox` with their options. */
import type { Command } from 'commander';
import type { CommandLine } from './face.ts';

type Action = (options: Record<string, never>, ...rest: never[]) => Promise<number>;
type Wrap = (action: Action) => (...given: unknown[]) => Promise<void>;

const load = () => import('./sandbox-command.ts');

export function addSandboxCommands(program: Command, face: CommandLine, act: Wrap): void {
  const sandbox = program
    .command('sandbox')
    .description('A Linux of its own for commands: install it, keep its packages, open a shell');
  withPlace(
    sandbox.command('status', { isDefault: true }).description('Say which one is installed and in force'),
  ).action(act(async (options) => (await load()).statusCommand(face, options)));
  withPlace(sandbox.command('install').description('Download and set it up; goes on where it was stopped'))
    .argument('[distribution]', 'alpine or debian (default: as the settings say, else alpine)')
    .option('--version <release>', 'for example 3.21 or bookworm')
    .option('--bare', 'without the basic packages')
    .option('--replace', 'in the place of the one that is installed')
    .action(act(async (options, name) => (await load()).installCommand(face, name, options)));
  withPlace(
    sandbox.command('basic').description('Add the basic packages: curl, git, Python, Node, ssh and the like'),
  ).action(act(async (options) => (await load()).basicCommand(face, options)));
  withPlace(sandbox.command('reset').description('End every shell in it and start afresh; the home is kept'))
    .option('--home', 'empty the home too')
    .action(act(async (options) => (await load()).resetCommand(face, options)));
  withPlace(sandbox.command('uninstall').description('End every shell in it and remove it; the home is kept')).action(
    act(async (options) => (await load()).uninstallCommand(face, options)),
  );
  sandbox
    .command('shell')
    .description('Open a shell in the sandbox on this terminal')
    .option('--workspace <folder>', 'the folder to be in (default: the current directory)')
    .action(act(async (options) => (await load()).shellCommand(face, options)));
  addPackageCommands(sandbox, face, act);
}

function addPackageCommands(sandbox: Command, face: CommandLine, act: Wrap): void {
  const packages = sandbox.command('packages').description('Its packages, by its own manager');
  withPlace(packages.command('list', { isDefault: true }).description('List those that are installed')).action(
    act(async (options) => (await load()).listPackagesCommand(face, options)),
  );
  withPlace(packages.command('search <word>').description('Search by name and description')).action(
    act(async (options, word) => (await load()).searchPackagesCommand(face, word, options)),
  );
  for (const action of ['install', 'remove'] as const) {
    withPlace(packages.command(`${action} <names...>`)).action(
      act(async (options, names) => (await load()).changePackagesCommand(face, action, names, options)),
    );
  }
}

function withPlace(command: Command): Command {
  return command
    .option('--workspace <folder>', 'root only: the folder whose owner it is for (default: the current directory)')
    .option('--json', 'print one JSON object; progress as JSON lines on standard error');
}
