/** Runs one shell command and returns what it printed. */
import { z } from 'zod';
import type { ShellRequest, ShellResult } from '../../contract/services.ts';
import { defineTool } from '../../contract/tool.ts';
import type { Jobs } from '../../contract/jobs.ts';
import type { ToolOutput } from '../../contract/output.ts';

const alias = 'bash';

/** The contract of the tool under this name: three minutes unless the call says otherwise. */
const aliasTimeoutMs = 180_000;

/** The shell ends a command in its own way and keeps its output; the executor's timeout must come later. */
const marginMs = 10_000;
/** Without a wish in the call the settings decide, which this file cannot see: no more than a net below the shell's own limit. */
const unknownTimeoutMs = 3_600_000;
/** Beyond 2^31 ms a timer of Node fires at once. */
const longestTimeoutMs = 7 * 24 * 3_600_000;

const input = z.strictObject({
  command: z.string().min(1).describe('Bash command line to run. Standard input is empty.'),
  timeout: z.number().positive().optional().describe('Seconds until it is ended. Default 30, at most 120.'),
  working_dir: z
    .string()
    .optional()
    .describe('Folder for this command alone, relative to the workspace; ~ is the private home.'),
  env: z.record(z.string(), z.string()).optional().describe('Variables to set for this command.'),
  background: z
    .boolean()
    .optional()
    .describe('Return at once with a session_id for manage_process; it goes on after the turn.'),
  fresh: z.boolean().optional().describe('Run apart from that shell, and keep nothing.'),
  isDangerous: z
    .boolean()
    .optional()
    .describe('True when it deletes, overwrites or publishes something; the user is asked then.'),
  summary: z.string().optional().describe('One line for the user: what this command is for.'),
});

type Input = z.output<typeof input>;

export default defineTool({
  title: 'Run command',
  description:
    'Run a command line in {environment} and get stdout, stderr and exit code. ' +
    'For builds, tests, git and other programs; to read, edit or search files use the file tools. ' +
    "The conversation's shell keeps directory, variables and functions from call to call; calls sent together run side by side in copies of it. " +
    'Write HTML as one self-contained file with inline CSS and JavaScript.',
  aliases: [alias],
  smallModels: true,
  isCore: true,
  input,
  output: z.object({
    command: z.string(),
    exit_code: z.number().nullable(),
    stdout: z.string(),
    stderr: z.string(),
    summary: z.string().optional(),
    timed_out: z.boolean(),
    cwd: z.string(),
    rung: z.string(),
    duration_ms: z.number(),
    signal: z.string().optional(),
    stdout_truncated: z.boolean().optional(),
    stderr_truncated: z.boolean().optional(),
    stdout_bytes: z.number().optional(),
    stderr_bytes: z.number().optional(),
    notes: z.array(z.string()).optional(),
    session_id: z.string().optional(),
    status: z.string().optional(),
  }),
  needs: ['shell', 'jobs'],
  access: ({ command, working_dir, isDangerous }) => [
    {
      kind: 'command',
      command,
      ...(working_dir === undefined ? {} : { cwd: working_dir }),
      isDangerous: isDangerous === true,
    },
  ],
  effect: 'once',
  summary: ({ command, summary }) => oneLine(summary ?? '') || oneLine(command) || '(empty command)',
  timeoutMs: ({ timeout }) =>
    (timeout === undefined ? unknownTimeoutMs : Math.min(timeout * 1000, longestTimeoutMs)) + marginMs,
  async run(call, { shell, jobs }, { calledAs, emit }) {
    if (call.background === true) return runInBackground(call, jobs);
    const result = await shell.run(request(call, calledAs), emit);
    return {
      text: describe(result),
      view: {
        kind: 'terminal',
        command: call.command,
        stdout: result.stdout.text,
        stderr: result.stderr.text,
        exitCode: result.exitCode,
      },
      data: shape(call, result),
      truncated: result.stdout.truncated || result.stderr.truncated,
      ...(result.artifact === undefined ? {} : { artifact: result.artifact }),
      ...(result.timedOut && { failure: 'timeout' }),
    };
  },
});

/** Its timeout does not matter: it goes on until it ends by itself or is killed. */
async function runInBackground(call: Input, jobs: Jobs): Promise<ToolOutput> {
  const { command, working_dir, env } = call;
  const startedAt = performance.now();
  const job = await jobs.start({
    command,
    ...(working_dir === undefined ? {} : { workingDir: working_dir }),
    ...(env === undefined ? {} : { env }),
  });
  const state = job.state === 'running' ? '' : `, and it has ended already (${job.state})`;
  const look = `manage_process {"action":"log","session_id":"${job.sessionId}"}`;
  return {
    text: [`Started in the background as ${job.sessionId}${state}. Its output: ${look}`, ...job.notes].join(
      '\n[note] ',
    ),
    data: {
      command,
      session_id: job.sessionId,
      status: job.state,
      exit_code: job.exitCode,
      stdout: '',
      stderr: '',
      ...(call.summary === undefined ? {} : { summary: call.summary }),
      timed_out: false,
      cwd: job.cwd,
      rung: job.rung,
      duration_ms: Math.round(performance.now() - startedAt),
      ...(job.notes.length === 0 ? {} : { notes: [...job.notes] }),
    },
  };
}

function request(call: Input, calledAs: string): ShellRequest {
  return {
    command: call.command,
    ...(call.working_dir === undefined ? {} : { workingDir: call.working_dir }),
    ...(call.env === undefined ? {} : { env: call.env }),
    ...(call.timeout === undefined ? {} : { timeoutMs: call.timeout * 1000 }),
    ...(calledAs === alias ? { defaultTimeoutMs: aliasTimeoutMs } : {}),
    ...(call.fresh === undefined ? {} : { fresh: call.fresh }),
  };
}

/** For the model: what was printed, and only what is not as usual besides. */
function describe(result: ShellResult): string {
  const parts = [result.stdout.text.trimEnd()];
  if (result.stderr.text.trim() !== '') parts.push(`[stderr]\n${result.stderr.text.trimEnd()}`);
  if (result.timedOut) parts.push('[timed out]');
  else if (result.exitCode === null) parts.push(`[ended by ${result.signal ?? 'a signal'}]`);
  else if (result.exitCode !== 0) parts.push(`[exit code ${result.exitCode}]`);
  parts.push(...result.notes.map((note) => `[note] ${note}`));
  return parts.filter((part) => part !== '').join('\n') || '(no output, exit code 0)';
}

function shape(call: Input, result: ShellResult): Readonly<Record<string, unknown>> {
  return {
    command: call.command,
    exit_code: result.exitCode,
    stdout: result.stdout.text,
    stderr: result.stderr.text,
    ...(call.summary === undefined ? {} : { summary: call.summary }),
    timed_out: result.timedOut,
    cwd: result.cwd,
    rung: result.rung,
    duration_ms: result.durationMs,
    ...(result.signal === undefined ? {} : { signal: result.signal }),
    ...(result.stdout.truncated ? { stdout_truncated: true, stdout_bytes: result.stdout.totalBytes } : {}),
    ...(result.stderr.truncated ? { stderr_truncated: true, stderr_bytes: result.stderr.totalBytes } : {}),
    ...(result.notes.length === 0 ? {} : { notes: [...result.notes] }),
  };
}

/** Without line breaks and control characters, short enough for a chip. */
function oneLine(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  return flat.length > 160 ? `${flat.slice(0, 159)}…` : flat;
}
