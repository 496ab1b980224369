/** What a person typed to make a call, made again from the journal. */

export function typedText(tool: string, input: string): string {
  const values = parse(input);
  const names = Object.keys(values);
  const command = values['command'];
  if (tool === 'execute_shell_command' && names.length === 1 && typeof command === 'string') return `!${command}`;
  const parts = names.map((name) => `${name}=${valueText(values[name])}`);
  return [`/${tool}`, ...parts].join(' ');
}

function valueText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return /^[^\s"'\\=]+$/.test(value) ? value : JSON.stringify(value);
}

function parse(input: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // Broken arguments were refused anyway; the line then shows the tool alone.
    return {};
  }
}
