/** Runs one command on another machine over ssh, by the conversation's shell: its calls share one connection. */
import { z } from 'zod';
import type { ShellResult } from '../../contract/services.ts';
import { defineTool } from '../../contract/tool.ts';

const defaultSeconds = 60;
const maxSeconds = 3_600;
/** The shell ends a command in its own way and keeps its output; the executor's timeout must come later. */
const marginMs = 10_000;
const connectSeconds = 15;

/** Calls share a connection where the shell has a place of the conversation's own for it; `none` is no sharing (ssh_config(5)). */
const sharing = '-o ControlMaster=auto -o ControlPersist=20m -o ControlPath="${HANDRAIL_SSH:-none}"';

const plain = /^[A-Za-z0-9_][A-Za-z0-9._@:-]*$/;

const input = z.strictObject({
  command: z.string().min(1).describe('Command line for the other machine.'),
  host: z.string().regex(plain).describe('Host name, address, or an alias of ssh_configure_host.'),
  username: z
    .string()
    .regex(/^[A-Za-z0-9_][A-Za-z0-9._-]*$/)
    .optional()
    .describe('Who to log in as.'),
  port: z.int().min(1).max(65_535).optional().describe('Default 22.'),
  key_path: z
    .string()
    .regex(/^[A-Za-z0-9_.~/][A-Za-z0-9_./@+,-]*$/)
    .optional()
    .describe('Private key in the sandbox.'),
  timeout: z.number().positive().max(maxSeconds).optional().describe('Seconds. Default 60.'),
});

type Input = z.output<typeof input>;

export default defineTool({
  title: 'Run over SSH',
  description:
    'Run a command on another machine over ssh and get stdout, stderr and exit code. Calls of one conversation share a connection. Keys only, no passwords; a new host asks the user.',
  follows: 'execute_shell_command',
  input,
  output: z.object({
    host: z.string(),
    exit_code: z.number().nullable(),
    stdout: z.string(),
    stderr: z.string(),
    timed_out: z.boolean(),
    duration_ms: z.number(),
    notes: z.array(z.string()).optional(),
  }),
  needs: ['shell'],
  access: (call) => [{ kind: 'command', command: commandLine(call), isDangerous: false }],
  effect: 'once',
  summary: ({ host, command }) => `${host}: ${command}`.replaceAll(/\s+/g, ' ').slice(0, 160),
  timeoutMs: ({ timeout = defaultSeconds }) => timeout * 1000 + marginMs,
  async run(call, { shell }, { emit }) {
    const seconds = call.timeout ?? defaultSeconds;
    const timeoutMs = seconds * 1000;
    const result = await shell.run({ command: commandLine(call), timeoutMs, defaultTimeoutMs: timeoutMs }, emit);
    const advice = adviceFor(result, call);
    return {
      text: describe(result, advice),
      view: {
        kind: 'terminal',
        command: `ssh ${call.host} ${call.command}`,
        stdout: result.stdout.text,
        stderr: result.stderr.text,
        exitCode: result.exitCode,
      },
      data: {
        host: call.host,
        exit_code: result.exitCode,
        stdout: result.stdout.text,
        stderr: result.stderr.text,
        timed_out: result.timedOut,
        duration_ms: result.durationMs,
        ...(result.notes.length + advice.length === 0 ? {} : { notes: [...result.notes, ...advice] }),
      },
      truncated: result.stdout.truncated || result.stderr.truncated,
      ...(result.artifact === undefined ? {} : { artifact: result.artifact }),
      ...(result.timedOut && { failure: 'timeout' }),
    };
  },
});

/** What is asked about is what is run, byte for byte. Options may follow the host (ssh.c), but not behind `--`. */
function commandLine({ command, host, username, port, key_path }: Input): string {
  return [
    `ssh -T -o BatchMode=yes -o LogLevel=ERROR -o ConnectTimeout=${connectSeconds}`,
    sharing,
    ...(port === undefined ? [] : [`-p ${port}`]),
    ...(key_path === undefined ? [] : [`-o IdentitiesOnly=yes -i ${key_path}`]),
    ...(username === undefined ? [] : [`-l ${username}`]),
    `${host} -- ${quote(command)}`,
  ].join(' ');
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function adviceFor({ stderr, exitCode, rung }: ShellResult, { host, port }: Input): string[] {
  // ssh(1): 255 is its own failure; the other machine's command may end so too.
  if (exitCode !== 255) return [];
  const isOnHost = rung === 'host';
  const scan = `ssh-keyscan ${port === undefined ? '' : `-p ${port} `}${host}`;
  if (/REMOTE HOST IDENTIFICATION HAS CHANGED/.test(stderr.text)) {
    const entry = port === undefined || port === 22 ? host : `'[${host}]:${port}'`;
    const add = isOnHost ? 'let the user add the new one' : 'give the new one to ssh_configure_host as known_host_line';
    return [
      `The key of ${host} is not the one that is known. Only if the user says that it was changed: remove the old one with \`ssh-keygen -R ${entry}\` and ${add}.`,
    ];
  }
  if (/Host key verification failed|No .* host key is known/.test(stderr.text))
    return [
      isOnHost
        ? `The key of ${host} is not known here. The user has to compare it (\`${scan} | ssh-keygen -lf -\`) and add it to ~/.ssh/known_hosts.`
        : `The key of ${host} is not known. Give it to ssh_configure_host as known_host_line (\`${scan}\`).`,
    ];
  if (/Permission denied/.test(stderr.text))
    return [
      "The host accepted no key. Name one with key_path; its public half must stand in the host's authorized_keys.",
    ];
  return [];
}

function describe(result: ShellResult, advice: readonly string[]): string {
  const parts = [result.stdout.text.trimEnd()];
  if (result.stderr.text.trim() !== '') parts.push(`[stderr]\n${result.stderr.text.trimEnd()}`);
  if (result.timedOut) parts.push('[timed out]');
  else if (result.exitCode !== 0) parts.push(`[exit code ${result.exitCode ?? 'none'}]`);
  parts.push(...[...result.notes, ...advice].map((note) => `[note] ${note}`));
  return parts.filter((part) => part !== '').join('\n') || '(no output, exit code 0)';
}
