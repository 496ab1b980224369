/** Runs a program that the model has written, in a process of its own. */
import { z } from 'zod';
import { oneLine } from '../../base/one-line.ts';
import { defineTool } from '../../contract/tool.ts';
import { describeRun } from './_describe-terminal.ts';

const marginMs = 10_000;
/** Without a wish in the call the settings decide, which this file cannot see. */
const unknownTimeoutMs = 3_600_000;
const longestTimeoutMs = 7 * 24 * 3_600_000;

const input = z.strictObject({
  code: z.string().min(1).describe('The program. Print what you want to see.'),
  language: z
    .enum(['python', 'javascript', 'typescript'])
    .default('python')
    .describe('Default python. The other two run on Node: modules, top-level await, types are stripped.'),
  working_dir: z.string().optional().describe('Folder to run in, relative to the workspace.'),
  timeout: z.number().positive().optional().describe('Seconds until it is ended. Default 30, at most 120.'),
  summary: z.string().optional().describe('One line for the user: what it is for.'),
});

export default defineTool({
  title: 'Run code',
  description:
    'Run a Python, JavaScript or TypeScript program in a fresh sandbox and get stdout, stderr and exit code. For ' +
    'calculations and data work. Runs share no variables; files in the workspace stay. Standard input is empty. ' +
    'A non-zero exit code means that it failed.',
  input,
  output: z.object({
    language: z.string(),
    success: z.boolean(),
    exit_code: z.number().nullable(),
    stdout: z.string(),
    stderr: z.string(),
    timed_out: z.boolean(),
    cwd: z.string(),
    rung: z.string(),
    duration_ms: z.number(),
    summary: z.string().optional(),
    notes: z.array(z.string()).optional(),
  }),
  needs: ['code'],
  access: ({ code, language, working_dir }) => [
    {
      kind: 'command',
      command: code,
      language,
      cwd: working_dir ?? '.',
      isDangerous: false,
    },
  ],
  effect: 'once',
  summary: ({ code, language, summary }) => oneLine(summary ?? `${language}: ${code}`).slice(0, 160),
  timeoutMs: ({ timeout }) =>
    (timeout === undefined ? unknownTimeoutMs : Math.min(timeout * 1000, longestTimeoutMs)) + marginMs,
  async run(call, { code }, { emit }) {
    const result = await code.run(
      {
        code: call.code,
        language: call.language,
        ...(call.working_dir === undefined ? {} : { workingDir: call.working_dir }),
        ...(call.timeout === undefined ? {} : { timeoutMs: call.timeout * 1000 }),
      },
      emit,
    );
    const described = describeRun(call.code, result);
    const failed = result.exitCode !== 0 && result.exitCode !== null;
    return {
      ...described,
      text: failed ? `The program failed.\n${described.text}` : described.text,
      data: {
        language: call.language,
        success: result.exitCode === 0,
        exit_code: result.exitCode,
        stdout: result.stdout.text,
        stderr: result.stderr.text,
        timed_out: result.timedOut,
        cwd: result.cwd,
        rung: result.rung,
        duration_ms: result.durationMs,
        ...(call.summary === undefined ? {} : { summary: call.summary }),
        ...(result.notes.length === 0 ? {} : { notes: [...result.notes] }),
      },
    };
  },
});
