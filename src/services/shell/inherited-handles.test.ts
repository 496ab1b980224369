import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runProgram } from '../../../test/kit/run-program.ts';
import { findInheritedHandles } from './inherited-handles.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-inherited-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a session of ours the way a careless terminal would: with a file and a folder of the machine left open. */
async function peek(keepsInherited: boolean): Promise<string> {
  const outside = join(folder, 'outside');
  mkdirSync(outside, { recursive: true });
  writeFileSync(join(outside, 'canary.txt'), 'canary-7f3a');
  const script = resolve(import.meta.dirname, '../../../test/fixtures/shell-session.ts');
  const line = 'exec 151<"$0/canary.txt" 152<"$0"; exec "$1" "$2"';
  const command = 'cat <&151; cat /proc/self/fd/152/canary.txt; for fd in 151 152; do readlink /proc/$$/fd/$fd; done';
  const input = JSON.stringify({ world: {}, keepsInherited, commands: [{ command }] });
  const { stdout, stderr } = await runProgram('bash', ['-c', line, outside, process.execPath, script], { input });
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as { results: { stdout: { text: string } }[] }).results[0]?.stdout.text ?? '';
}

it('[A28] what our own process inherited does not reach a command', async () => {
  expect(await peek(false)).toBe('/dev/null\n/dev/null\n');
});

it('[A28] twin: without looking for it, an open folder leads out of the sandbox', async () => {
  expect(await peek(true)).toContain('canary-7f3acanary-7f3a');
});

it('only handles without close-on-exec are named, and never the three streams', () => {
  for (const handle of [0, 3, 151]) writeFileSync(join(folder, `${handle}`), 'pos:\t0\nflags:\t0100000\nmnt_id:\t1\n');
  writeFileSync(join(folder, '152'), 'pos:\t0\nflags:\t02100000\nmnt_id:\t1\n');
  expect(findInheritedHandles(folder)).toEqual([3, 151]);
});
