/** The command line: which command with which options, and what a failure looks like. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { editDistance } from '../base/edit-distance.ts';
import { escapeInvisible } from '../base/escape-invisible.ts';
import { MisuseFailure } from '../contract/failure.ts';
import type { CommandLine } from './face.ts';
import { addPermissionCommands } from './add-permission-commands.ts';
import { addKeptCommands } from './add-kept-commands.ts';
import { addLogCommands } from './add-log-commands.ts';
import { addServeCommand } from './add-serve-command.ts';
import { addSandboxCommands } from './add-sandbox-commands.ts';
import { guardOutput } from './guard-output.ts';
import { reportFailure } from './report-failure.ts';

type Action = (options: Record<string, never>, ...rest: never[]) => Promise<number>;

/** Runs one command and resolves with the exit code: 0 done, 1 failed, 2 misuse, 130 stopped by Ctrl-C. */
export async function startCommandLine(argv: readonly string[], face: CommandLine): Promise<number> {
  const output = guardOutput(process.stdout, process.stderr);
  const exitCode = await runCommandLine(argv, face);
  // That the last write failed is known one turn of the event loop later.
  await new Promise((resolve) => setImmediate(resolve));
  return output.end(exitCode);
}

async function runCommandLine(argv: readonly string[], face: CommandLine): Promise<number> {
  let exitCode = 0;
  const asJson = argv.includes('--json');
  const program = new Command('handrail')
    .description('A self-hosted assistant for this machine: tools for AI models, with a rail beside every one of them.')
    .version(face.version, '-v, --version')
    .exitOverride()
    // Else `sandbox install --version 3.21` would print ours.
    .enablePositionalOptions()
    .showSuggestionAfterError()
    // With --json the object says it, and nothing else.
    .configureOutput({
      outputError: (text, write) => asJson || write(`handrail: ${oneLine(text)} See handrail --help.\n`),
    });
  const act =
    (action: Action) =>
    async (...given: unknown[]) => {
      // Commander hands over the arguments, then the options, then the command itself.
      const command = given.at(-1) as Command;
      exitCode = await action(command.optsWithGlobals() as never, ...(given.slice(0, -2) as never[]));
    };
  addConversationCommands(program, face, act);
  addScriptCommands(program, face, act);
  addUpkeepCommands(program, face, act);
  try {
    refuseUnknownCommand(program, argv[0]);
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportFailure(error, asJson);
    return error.exitCode === 0 ? 0 : misuse(error, asJson);
  }
}

/** Commander would take it for an argument of the chat. */
function refuseUnknownCommand(program: Command, wanted: string | undefined): void {
  const names = [...program.commands.map((command) => command.name()), 'help'];
  if (wanted === undefined || wanted.startsWith('-') || names.includes(wanted)) return;
  const near = names.find((name) => editDistance(wanted.slice(0, 40), name) <= 2);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new MisuseFailure(
    `There is no command "${wanted.slice(0, 40)}".${hint} See handrail --help; to ask something write: handrail ask "…".`,
  );
}

type Wrap = (action: Action) => (...given: unknown[]) => Promise<void>;

function addConversationCommands(program: Command, face: CommandLine, act: Wrap): void {
  conversationOptions(
    program.command('chat', { isDefault: true }).description('Chat in the terminal (what `handrail` alone does)'),
  ).action(act(async (options) => (await import('./chat-command.ts')).chatCommand(face, options)));
  conversationOptions(program.command('ask').description('Ask once; what is piped in is added to the question'))
    .argument('[question...]')
    .addOption(
      new Option('--json', 'print the events of the turn, one JSON object per line; the last holds the answer'),
    )
    .addOption(
      new Option('--image <file>', 'an image to show the model with the question; may be repeated').argParser(collect),
    )
    .addOption(new Option('--max-rounds <n>', 'rounds of tool calls at most').argParser(positiveInteger))
    .action(act(async (options, question) => (await import('./ask-command.ts')).askCommand(face, question, options)));
  program
    .command('demo')
    .description('Watch a scripted model work through the real loop, in a folder of its own')
    .addOption(new Option('--json', 'print the events, one JSON object per line'))
    .action(act(async (options) => (await import('./demo-command.ts')).demoCommand(face, options)));
}

function addScriptCommands(program: Command, face: CommandLine, act: Wrap): void {
  placeOptions(program.command('run').description('Run one tool'))
    .argument('<tool>', 'name or alias')
    .argument('[input]', 'arguments as a JSON object, or - to read them from standard input')
    .option('--json', 'print one JSON object')
    .action(
      act(async (options, tool, input) => (await import('./run-command.ts')).runCommand(face, tool, input, options)),
    );
  addPermissionCommands(program, face, act);
  program
    .command('mcp')
    .description('Serve the tools to another agent: MCP on standard input and output')
    .option('--workspace <folder>', 'the folder to work in (default: the current directory)')
    .addOption(
      new Option('--approve <mode>', 'what becomes of questions (default: ask by elicitation)').choices([
        'all',
        'ask',
        'none',
      ]),
    )
    .option('--tools <names>', 'serve only these, separated by commas')
    .action(act(async (options) => (await import('./mcp-command.ts')).mcpCommand(face, options)));
  addServeCommand(program, face, act);
}

function addUpkeepCommands(program: Command, face: CommandLine, act: Wrap): void {
  program
    .command('doctor')
    .description('Look at Node, sandbox, models and database, and say what to mend')
    .option('--json', 'as JSON')
    .action(act(async (options) => (await import('./doctor-command.ts')).doctorCommand(face, options)));
  program
    .command('costs')
    .description('What models have taken, in tokens and dollars: today, by model, by conversation')
    .addOption(new Option('--days <n>', 'days to look back, today included (default: 30)').argParser(positiveInteger))
    .option('--json', 'as JSON')
    .action(act(async (options) => (await import('./costs-command.ts')).costsCommand(face, options)));
  const jobs = program.command('jobs').description('Commands that go on in the background');
  jobs
    .command('list', { isDefault: true })
    .description('List them, of all conversations')
    .option('--json', 'as JSON')
    .action(act(async (options) => (await import('./jobs-command.ts')).listJobs(face, options)));
  jobs
    .command('log <id>')
    .description('Print what one has printed so far, both streams as they came')
    .addOption(new Option('--offset <n>', 'the first line, from 0').argParser(wholeNumber))
    .addOption(new Option('--limit <n>', 'lines at most').argParser(positiveInteger))
    .action(act(async (options, id) => (await import('./jobs-command.ts')).logJob(face, id, options)));
  jobs
    .command('kill <id>')
    .description('End one with everything it has started')
    .action(act(async (_options, id) => (await import('./jobs-command.ts')).killJob(face, id)));
  jobs
    .command('stop-all')
    .description('End all of them')
    .action(act(async () => (await import('./jobs-command.ts')).stopAllJobs(face)));
  addTrustedCommands(program, face, act);
  addLogCommands(program, face, act, positiveInteger);
  addSandboxCommands(program, face, act);
  addKeptCommands(program, face, act);
  program
    .command('confirm')
    .description('Show what the settings ask for and is not in force yet, and put it in force')
    .option('--yes', 'without asking')
    .action(act(async (options) => (await import('./confirm-command.ts')).confirmCommand(face, options)));
  const secrets = program.command('secrets').description('Keys and passwords, kept apart from the settings');
  secrets
    .command('set <name>')
    .description('Read a secret from standard input (or ask for it) and keep it')
    .action(act(async (_options, name) => (await import('./secrets-command.ts')).setSecret(face, name)));
  secrets
    .command('remove <name>')
    .action(act(async (_options, name) => (await import('./secrets-command.ts')).removeSecret(face, name)));
  secrets.command('list').action(act(async () => (await import('./secrets-command.ts')).listSecrets(face)));
}

function addTrustedCommands(program: Command, face: CommandLine, act: Wrap): void {
  const trusted = program
    .command('trusted')
    .description('Changes by commands to files that this machine obeys later: set aside until you decide');
  trusted
    .command('list', { isDefault: true })
    .option('--json', 'as JSON')
    .action(act(async (options) => (await import('./trusted-command.ts')).listTrusted(face, options)));
  trusted
    .command('show <id>')
    .description('Show one as a diff')
    .option('--json', 'as JSON')
    .action(act(async (options, id) => (await import('./trusted-command.ts')).showTrusted(face, id, options)));
  trusted
    .command('accept <id>')
    .description('Put it in place')
    .action(act(async (_options, id) => (await import('./trusted-command.ts')).acceptTrusted(face, id)));
  trusted
    .command('drop <id>')
    .description('Throw it away')
    .action(act(async (_options, id) => (await import('./trusted-command.ts')).dropTrusted(face, id)));
}

function placeOptions(command: Command): Command {
  return command
    .option('--workspace <folder>', 'the folder to work in (default: the current directory)')
    .option('--conversation <id>', 'the conversation to go on with; made when it does not exist')
    .addOption(
      new Option(
        '--approve <mode>',
        'what becomes of questions: yes to all, ask here, or none (default: ask on a terminal, else none)',
      ).choices(['all', 'ask', 'none']),
    );
}

function conversationOptions(command: Command): Command {
  return placeOptions(command)
    .option('--model <service/model>', 'the model to use')
    .option('--continue', "go on with this folder's latest conversation");
}

function collect(value: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), value];
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0 on.');
  return Number(text);
}

function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return value;
}

/** Commander has printed its line already; a script that reads JSON gets an object instead. */
function misuse(error: CommanderError, asJson: boolean): number {
  return asJson ? reportFailure(new MisuseFailure(oneLine(error.message)), true) : 2;
}

/** Commander puts its suggestions on lines of their own. */
function oneLine(text: string): string {
  const flat = escapeInvisible(
    text
      .replace(/^error: /, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    'nothing',
  );
  return /[.?!)]$/.test(flat) ? flat : `${flat}.`;
}
