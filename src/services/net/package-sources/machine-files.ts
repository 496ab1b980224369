/** Reads what package managers of this machine are configured with: small files that may not be there. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type PackageMachine = {
  readonly userHome: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where the machine's own files lie; tests name another folder. Default `/`. */
  readonly root?: string;
  /** What a program prints; undefined when it cannot be run. Tests answer themselves. */
  readonly ask?: (file: string, args: readonly string[]) => Promise<string | undefined>;
};

const maxBytes = 256 * 1024;

/** Empty when it is not there, not a file, or not readable. */
export function readSmall(machine: PackageMachine, path: string): string {
  const whole = placeOf(machine, path);
  try {
    const info = statSync(whole);
    return info.isFile() && info.size <= maxBytes ? readFileSync(whole, 'utf8') : '';
  } catch {
    // Most managers are not on most machines.
    return '';
  }
}

/** Absolute paths of the files in a folder, by name; none when it is not there. */
export function listFiles(machine: PackageMachine, folder: string, ending: string): string[] {
  try {
    const names = readdirSync(placeOf(machine, folder));
    return names
      .filter((name) => name.endsWith(ending))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function placeOf(machine: PackageMachine, path: string): string {
  return machine.root === undefined ? path : join(machine.root, path);
}

export type IniEntry = { readonly section: string; readonly key: string; readonly value: string };

/** Good for npmrc, pip.conf and the parts of cargo's TOML that matter here. An indented line goes on with the value before. */
export function readIni(text: string): readonly IniEntry[] {
  const entries: { section: string; key: string; value: string }[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    const last = entries.at(-1);
    const header = /^\s*\[([^\]]+)\]\s*$/.exec(line)?.[1];
    const pair = /^([^=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line);
    if (/^\s*[#;]/.test(line) || line.trim() === '') continue;
    if (header !== undefined) section = header.trim();
    else if (/^\s/.test(line) && last !== undefined && !/^\s+[\w-]+\s*=/.test(line)) last.value += `\n${line.trim()}`;
    else if (pair !== null) entries.push({ section, key: pair[1] ?? '', value: unquote(pair[2] ?? '') });
    else if (/^\s+[\w-]+\s*=/.test(line)) entries.push(...readIni(`[${section}]\n${line.trim()}`));
  }
  return entries;
}

const unquote = (text: string): string => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;

/** `${NAME}` as npm and pip have it, from our own environment; a name that is not set stays, and the text is no address then. */
export function expandVariables(text: string, environment: PackageMachine['environment']): string {
  return text.replace(/\$\{(\w+)\}/g, (whole, name: string) => environment[name] ?? whole);
}
