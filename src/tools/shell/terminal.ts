/** Commands under the user's list, and named terminals that programs keep running in. */
import { z } from 'zod';
import { oneLine } from '../../base/one-line.ts';
import { readTyped } from '../../base/typed-keys.ts';
import type { Access } from '../../contract/access.ts';
import { ToolFailure } from '../../contract/failure.ts';
import { defineTool } from '../../contract/tool.ts';
import { describeClosed, describeList, describeRun, describeScreen } from './_describe-terminal.ts';

const size = (max: number) => z.int().min(2).max(max).optional();

const input = z.strictObject({
  action: z
    .enum(['run', 'open', 'send_input', 'read_screen', 'status', 'resize', 'list', 'close'])
    .default('run')
    .describe('run: one command to its end. The others: terminals that stay. status is read_screen.'),
  command: z.string().min(1).optional().describe('For run; for open the program to start, default bash.'),
  name: z.string().optional().describe('Of the terminal; default main.'),
  terminal_name: z.string().optional().describe('Same as name.'),
  input: z
    .string()
    .optional()
    .describe('For send_input. Keys by name: <enter> <tab> <esc> <up> <ctrl-c> <f1>; \\n is <enter>; <lt> is <.'),
  text: z.string().optional().describe('Same as input.'),
  working_dir: z.string().optional().describe('Relative to the workspace.'),
  timeout: z.number().positive().optional().describe('Seconds for run. Default 30.'),
  wait: z.number().min(0).max(60).optional().describe('Seconds to wait at most for the screen to rest. Default 2.'),
  columns: size(500).describe('Default 80.'),
  rows: size(200).describe('Default 24.'),
  history: z.int().min(0).max(2000).optional().describe('Lines above the screen to show too.'),
  description: z.string().optional().describe('One line for the user: what it is for.'),
});

type Input = z.output<typeof input>;

const nameOf = ({ name, terminal_name }: Input): string => name ?? terminal_name ?? 'main';
const typedOf = ({ input: typed, text }: Input): string => typed ?? text ?? '';

const marginMs = 30_000;
const longestRunMs = 7 * 24 * 3_600_000;

export default defineTool({
  title: 'Terminal',
  description:
    'Interactive programs in named terminals: open one, send_input keys, read_screen, close. For REPLs, editors, ' +
    'prompts, full-screen programs and what runs on while you look. Input is typed exactly as given: end a line with ' +
    '<enter>. Also runs one command (run). Where nothing is interactive, the shell tool is simpler.',
  input,
  output: z.object({
    name: z.string().optional(),
    command: z.string().optional(),
    screen: z.string().optional(),
    cursor: z.object({ row: z.number(), column: z.number() }).optional(),
    columns: z.number().optional(),
    rows: z.number().optional(),
    alive: z.boolean().optional(),
    exit_code: z.number().nullable().optional(),
    stdout: z.string().optional(),
    stderr: z.string().optional(),
    timed_out: z.boolean().optional(),
    notes: z.array(z.string()).optional(),
    terminals: z.array(z.object({ name: z.string(), command: z.string(), alive: z.boolean() })).optional(),
  }),
  needs: ['shell', 'terminals'],
  access: (call) => [accessOf(call)],
  effect: 'once',
  polls: ({ action }) => action === 'read_screen' || action === 'status' || action === 'list',
  summary: (call) => oneLine(describeCall(call)),
  timeoutMs: ({ action, timeout = 3_600, wait = 2 }) =>
    (action === 'run' ? Math.min(timeout * 1000, longestRunMs) : wait * 1000) + marginMs,
  async run(call, { shell, terminals }, { emit }) {
    const name = nameOf(call);
    switch (call.action) {
      case 'run': {
        const result = await shell.run(
          {
            command: needed(call.command, 'command'),
            fresh: true,
            ...(call.working_dir === undefined ? {} : { workingDir: call.working_dir }),
            ...(call.timeout === undefined ? {} : { timeoutMs: call.timeout * 1000 }),
          },
          emit,
        );
        return describeRun(call.command ?? '', result);
      }
      case 'open':
        return describeScreen(
          await terminals.open({
            name,
            ...(call.command === undefined ? {} : { command: call.command }),
            ...(call.working_dir === undefined ? {} : { workingDir: call.working_dir }),
            ...(call.columns === undefined ? {} : { columns: call.columns }),
            ...(call.rows === undefined ? {} : { rows: call.rows }),
            ...(call.wait === undefined ? {} : { waitMs: call.wait * 1000 }),
          }),
        );
      case 'send_input': {
        const typed = typedOf(call);
        needed(typed, 'input');
        const options = call.wait === undefined ? {} : { waitMs: call.wait * 1000 };
        return describeScreen(await terminals.send(name, typed, options), withoutEnter(typed));
      }
      case 'read_screen':
      case 'status':
        return describeScreen(await terminals.read(name, { historyLines: call.history ?? 0 }));
      case 'resize':
        return describeScreen(await terminals.resize(name, { columns: call.columns ?? 80, rows: call.rows ?? 24 }));
      case 'list':
        return describeList(await terminals.list());
      case 'close':
        return describeClosed(name, await terminals.close(name));
    }
  },
});

/** What is run, what is started in a terminal and what is typed into one are commands alike; looking and closing are not. */
function accessOf(call: Input): Access {
  // Not where the conversation's shell stands: this runs apart from it.
  const place = { cwd: call.working_dir ?? '.' };
  const common = { kind: 'command', isDangerous: false, mustBeListed: true } as const;
  switch (call.action) {
    case 'run':
      return { ...common, command: call.command ?? '', ...place };
    case 'open':
      return { ...common, command: call.command ?? 'bash', ...place };
    case 'send_input':
      return { ...common, command: typedOf(call), typedInto: nameOf(call) };
    default:
      return { kind: 'none' };
  }
}

function describeCall(call: Input): string {
  const name = nameOf(call);
  switch (call.action) {
    case 'run':
      return call.description ?? call.command ?? 'Run a command';
    case 'open':
      return `Open terminal ${name}: ${call.description ?? call.command ?? 'bash'}`;
    case 'send_input':
      return `Type into ${name}: ${typedOf(call)}`;
    default:
      return `${call.action} ${call.action === 'list' ? 'terminals' : name}`;
  }
}

function needed(value: string | undefined, field: string): string {
  if (value !== undefined && value !== '') return value;
  throw new ToolFailure('invalid_input', `Give ${field} for this action.`);
}

/** The commonest mistake; nothing is pressed that was not asked for, since a full-screen program would take it. */
function withoutEnter(typed: string): readonly string[] {
  const tokens = readTyped(typed);
  const isLine = tokens.at(-1)?.kind === 'text' && tokens.every((token) => token.kind === 'text');
  return isLine && typed.length > 1 ? ['Enter was not pressed. Send <enter> to run the line.'] : [];
}
