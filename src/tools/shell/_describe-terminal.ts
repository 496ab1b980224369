/** How a terminal's screen and a command's end are told to the model, to programs and to people. */
import type { ToolOutput } from '../../contract/output.ts';
import type { ShellResult } from '../../contract/services.ts';
import type { TerminalScreen } from '../../contract/terminals.ts';

export function describeScreen(screen: TerminalScreen, more: readonly string[] = []): ToolOutput {
  const notes = [...(screen.notes ?? []), ...more];
  const { name, command, columns, rows, cursor, isAlive, exitCode, history = [] } = screen;
  const shown = [...history, ...screen.lines].join('\n').trimEnd();
  const state = isAlive
    ? `[${name}: running, ${columns}x${rows}, cursor at row ${cursor.row + 1}, column ${cursor.column + 1}]`
    : `[${name}: ended${exitCode === null ? '' : ` with exit code ${exitCode}`}]`;
  return {
    text: [shown, state, ...notes.map((note) => `[note] ${note}`)].filter((part) => part !== '').join('\n'),
    view: { kind: 'terminal', command, stdout: shown, stderr: '', exitCode },
    data: {
      name,
      command,
      screen: shown,
      cursor: { row: cursor.row, column: cursor.column },
      columns,
      rows,
      alive: isAlive,
      exit_code: exitCode,
      ...(notes.length === 0 ? {} : { notes: [...notes] }),
    },
  };
}

export function describeClosed(name: string, notes: readonly string[]): ToolOutput {
  const lines = [`The terminal "${name}" was closed.`, ...notes.map((note) => `[note] ${note}`)];
  return { text: lines.join('\n'), data: { name, alive: false, ...(notes.length === 0 ? {} : { notes: [...notes] }) } };
}

export function describeList(screens: readonly TerminalScreen[]): ToolOutput {
  const terminals = screens.map(({ name, command, isAlive, exitCode }) => ({
    name,
    command,
    alive: isAlive,
    exit_code: exitCode,
  }));
  const lines = terminals.map(
    ({ name, command, alive, exit_code }) =>
      `${name}: ${command}, ${alive ? 'running' : `ended (${exit_code ?? '?'})`}`,
  );
  return { text: lines.join('\n') || 'No terminal is open in this conversation.', data: { terminals } };
}

/** Only what is not as usual is said besides the output. */
export function describeRun(command: string, result: ShellResult): ToolOutput {
  const { stdout, stderr, exitCode, timedOut, signal, notes, artifact } = result;
  const parts = [stdout.text.trimEnd()];
  if (stderr.text.trim() !== '') parts.push(`[stderr]\n${stderr.text.trimEnd()}`);
  if (timedOut) parts.push('[timed out]');
  else if (exitCode === null) parts.push(`[ended by ${signal ?? 'a signal'}]`);
  else if (exitCode !== 0) parts.push(`[exit code ${exitCode}]`);
  parts.push(...notes.map((note) => `[note] ${note}`));
  return {
    text: parts.filter((part) => part !== '').join('\n') || '(no output, exit code 0)',
    view: { kind: 'terminal', command, stdout: stdout.text, stderr: stderr.text, exitCode },
    data: {
      command,
      stdout: stdout.text,
      stderr: stderr.text,
      exit_code: exitCode,
      timed_out: timedOut,
      ...(notes.length === 0 ? {} : { notes: [...notes] }),
    },
    truncated: stdout.truncated || stderr.truncated,
    ...(artifact === undefined ? {} : { artifact }),
    ...(timedOut && { failure: 'timeout' as const }),
  };
}
