/** `bin/handrail run <tool> '<json>' --json` for every file tool: the scripting contract and the shapes of the data. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createProgramWorld } from '../kit/program.ts';
import { callTool, dataOf } from '../kit/tool-call.ts';

test('[E02][E04] read_file pages 3,000 lines by 2,000, and any file to its end without a gap', async () => {
  const world = createProgramWorld();
  const lines = Array.from({ length: 3_000 }, (_, at) => `line ${at + 1}\n`);
  world.write('long.txt', lines.join(''));
  const file = path.join(world.workspace, 'long.txt');
  const first = await callTool(world, 'read_file', { path: 'long.txt' });
  const content = lines.slice(0, 2_000).join('');
  expect(first.outcome.data).toEqual({
    path: file,
    content,
    bytes_read: content.length,
    next_offset: 2_001,
    total_lines: 3_000,
  });
  expect(first.outcome.truncated).toBe(true);
  expect(first.outcome.text).toContain('offset 2001');
  const rest = await callTool(world, 'read_file', { path: file, offset: 2_001 });
  expect(rest.outcome.data).toEqual({ path: file, content: lines.slice(2_000).join(''), bytes_read: 10_000 });
  expect(rest.outcome.truncated).toBeUndefined();

  const wide = `${'äöü€𝄞'.repeat(60_000)}\nthe end`;
  world.write('wide.txt', wide);
  let read = '';
  let next: Record<string, unknown> | undefined = { path: 'wide.txt' };
  while (next !== undefined) {
    const data: Readonly<Record<string, unknown>> = await dataOf(world, 'read_file', next);
    expect(data['bytes_read']).toBe(Buffer.byteLength(data['content'] as string));
    expect((data['content'] as string).length).toBeLessThanOrEqual(100_000);
    read += data['content'] as string;
    const { next_offset: offset, next_char_offset: skip } = data;
    next =
      offset === undefined
        ? undefined
        : { path: 'wide.txt', offset, ...(skip === undefined ? {} : { char_offset: skip }) };
  }
  expect(read).toBe(wide);
});

test('[E03] read_file refuses what is no text or too much, each with its reason', async () => {
  const world = createProgramWorld();
  writeFileSync(path.join(world.workspace, 'binary'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]));
  writeFileSync(path.join(world.workspace, 'latin1.txt'), Buffer.from('caf\xe9\n', 'latin1'));
  world.write('ten.txt', '');
  truncateSync(path.join(world.workspace, 'ten.txt'), 10 * 1024 * 1024);
  const cases = [
    ['binary', 'invalid_input', 'binary'],
    ['latin1.txt', 'invalid_input', 'not valid UTF-8'],
    ['ten.txt', 'too_large', 'too large'],
    ['missing.txt', 'not_found', 'nothing there'],
    ['.', 'invalid_input', 'folder'],
    ['', 'invalid_input', 'empty'],
    ['a\0b', 'invalid_input', 'NUL'],
    ['x'.repeat(5_000), 'invalid_input', '4,096'],
  ] as const;
  for (const [name, code, reason] of cases) {
    const { outcome } = await callTool(world, 'read_file', { path: name });
    expect([outcome.error?.code, outcome.text]).toEqual([code, expect.stringContaining(reason)]);
  }
});

test('[E05] write_file makes parents, replaces the whole, keeps the mode and says how much', async () => {
  const world = createProgramWorld();
  const file = path.join(world.workspace, 'a/b/c.txt');
  const first = await dataOf(world, 'write_file', { path: 'a/b/c.txt', content: 'hé\n' });
  expect(first).toEqual({ path: file, bytes_written: 4, created: true });
  chmodSync(file, 0o750);
  const again = await dataOf(world, 'write_file', { path: file, content: '' });
  expect(again).toEqual({ path: file, bytes_written: 0, created: false });
  expect([world.read('a/b/c.txt'), statSync(file).mode & 0o777]).toEqual(['', 0o750]);
});

test('[E06][E07] edit_file replaces exact text, once or everywhere, and touches nothing else', async () => {
  const world = createProgramWorld();
  const file = path.join(world.workspace, 'a.txt');
  const original = 'one $& two\r\nsame\r\nsame\r\nsame';
  const edit = (oldString: string, newString: string, more: object = {}) =>
    callTool(world, 'edit_file', { path: 'a.txt', oldString, newString, ...more });
  world.write('a.txt', original);
  const refusals = [await edit('same ', 'x'), await edit('same', 'x'), await edit('', 'x'), await edit('two', 'two')];
  expect(refusals.map(({ outcome }) => outcome.error?.code)).toEqual(refusals.map(() => 'invalid_input'));
  expect(refusals[1]?.outcome.text).toContain('on lines 2, 3, 4');
  expect(world.read('a.txt')).toBe(original);
  const one = await edit('$& two', "$' $1 $$");
  expect(one.outcome.data).toEqual({ success: true, path: file, replacementCount: 1 });
  const all = await edit('same', 'other', { shouldReplaceAll: true });
  expect(all.outcome.data).toEqual({ success: true, path: file, replacementCount: 3 });
  expect(world.read('a.txt')).toBe("one $' $1 $$\r\nother\r\nother\r\nother");
  const missing = await callTool(world, 'edit_file', { path: 'no.txt', oldString: 'a', newString: 'b' });
  expect(missing.outcome.error?.code).toBe('not_found');
  expect(existsSync(path.join(world.workspace, 'no.txt'))).toBe(false);
});

test('[E10][E11][E13] glob and grep give absolute paths, at most 1,000, and say when there are more', async () => {
  const world = createProgramWorld();
  for (let at = 0; at < 1_200; at += 1) world.write(`many/${at % 12}/f${at}.md`, `needle ${at}\n`);
  world.write('other.txt', 'nothing\nthe needle\n');
  const { workspace } = world;
  const other = path.join(workspace, 'other.txt');

  const all = await callTool(world, 'glob', { pattern: '**/*.md' });
  expect(all.outcome).toMatchObject({
    ok: true,
    truncated: true,
    data: { pattern: '**/*.md', base_path: workspace, count: 1_000, truncated: true },
  });
  const files = all.outcome.data?.['files'] as string[];
  expect([files.length, files.every((file) => path.isAbsolute(file) && existsSync(file))]).toEqual([1_000, true]);
  expect(await dataOf(world, 'glob', { pattern: '*.txt', path: workspace })).toEqual({
    pattern: '*.txt',
    base_path: workspace,
    files: [other],
    count: 1,
  });
  expect(await dataOf(world, 'glob', { pattern: '*.none' })).toMatchObject({ files: [], count: 0 });

  const lines = await callTool(world, 'grep', { pattern: 'needle' });
  expect(lines.outcome).toMatchObject({ truncated: true, data: { output_mode: 'content', count: 1_000 } });
  expect(await dataOf(world, 'grep', { pattern: 'nee+dle$', include: '*.txt' })).toEqual({
    pattern: 'nee+dle$',
    base_path: workspace,
    output_mode: 'content',
    matches: [{ file: other, line_number: 2, line: 'the needle' }],
    count: 1,
  });
  expect(await dataOf(world, 'grep', { pattern: 'the', output_mode: 'file' })).toEqual({
    pattern: 'the',
    base_path: workspace,
    output_mode: 'file',
    files: [other],
    count: 1,
  });
  const wrong = await callTool(world, 'grep', { pattern: '(' });
  expect(wrong.outcome.error?.code).toBe('invalid_input');
});

test('[E12] a pattern that hangs other engines returns at once', async () => {
  const world = createProgramWorld();
  world.write('long.txt', `${'a'.repeat(200_000)}b\n`);
  const start = performance.now();
  expect(await dataOf(world, 'grep', { pattern: '(a+)+$' })).toMatchObject({ count: 0 });
  expect(performance.now() - start).toBeLessThan(10_000);
});

test('[L01][L15][L16] find_files and search_in_files give hits with path, line and snippet, and say when cut', async () => {
  const world = createProgramWorld();
  for (let at = 0; at < 60; at += 1) world.write(`d/report-${at}.txt`, `  the Heron ${at}\n`);
  world.write('.gitignore', 'hidden.txt\n');
  world.write('hidden.txt', 'heron\n');
  mkdirSync(path.join(world.workspace, '.git'));
  const found = await callTool(world, 'find_files', { pattern: 'REPORT-5*.txt' });
  expect(found.outcome.data).toMatchObject({
    truncated: false,
    backend: expect.stringMatching(/^(plocate|locate|find)$/u),
  });
  expect((found.outcome.data?.['results'] as object[]).length).toBe(11);
  const cut = await callTool(world, 'find_files', { pattern: 'report', max_results: 5 });
  expect([cut.outcome.truncated, cut.outcome.data?.['truncated']]).toEqual([true, true]);
  const text = await callTool(world, 'search_in_files', { query: 'heron' });
  expect(text.outcome).toMatchObject({ truncated: true, data: { truncated: true } });
  expect((text.outcome.data?.['results'] as object[]).length).toBe(30);
  const exact = await dataOf(world, 'search_in_files', { query: 'Heron 7', case_sensitive: true });
  expect(exact).toMatchObject({
    results: [{ path: path.join(world.workspace, 'd/report-7.txt'), line_number: 1, snippet: 'the Heron 7' }],
    truncated: false,
  });
});

test('[N06] filesystem does each of its actions, removals behind a yes and into the trash', async () => {
  const world = createProgramWorld();
  const at = (name: string) => path.join(world.workspace, name);
  const act = (action: string, more: object, flags: readonly string[] = []) =>
    callTool(world, 'filesystem', { action, ...more }, { flags });
  const data = async (action: string, more: object, flags: readonly string[] = []) => {
    const { outcome } = await act(action, more, flags);
    expect(outcome.ok, outcome.text).toBe(true);
    return outcome.data;
  };
  expect(await data('mkdir', { path: 'd/e' })).toEqual({ action: 'mkdir', path: at('d/e'), created: true });
  expect(await data('write', { path: 'd/a.txt', content: 'one\n' })).toEqual({
    action: 'write',
    path: at('d/a.txt'),
    bytes_written: 4,
    created: true,
  });
  expect(await data('append', { path: 'd/a.txt', content: 'two\n' })).toMatchObject({
    bytes_written: 4,
    created: false,
  });
  expect(await data('read', { path: 'd/a.txt', offset: 2 })).toMatchObject({ content: 'two\n', bytes_read: 4 });
  expect(await data('info', { path: 'd/a.txt' })).toMatchObject({ kind: 'file', bytes: 8 });
  expect(await data('exists', { path: 'd/none' })).toEqual({ action: 'exists', path: at('d/none'), exists: false });
  expect(await data('copy', { path: 'd/a.txt', destination: 'd/b.txt' })).toEqual({
    action: 'copy',
    path: at('d/a.txt'),
    destination: at('d/b.txt'),
  });
  expect(await data('diff', { path: 'd/a.txt', content: 'one\nthree\n' })).toMatchObject({ added: 1, removed: 1 });
  expect(await data('list', { path: 'd', recursive: true })).toMatchObject({ count: 3 });
  expect((await act('copy', { path: 'd/a.txt', destination: 'd/b.txt' })).outcome.error?.code).toBe('conflict');
  expect((await act('move', { path: 'd/a.txt' }, ['--approve', 'all'])).outcome.error?.code).toBe('invalid_input');

  const denied = await act('delete', { path: 'd/b.txt' });
  expect([denied.outcome.error?.code, existsSync(at('d/b.txt'))]).toEqual(['denied', true]);
  const all = ['--approve', 'all'];
  expect(await data('delete', { path: 'd/b.txt' }, all)).toMatchObject({ trash_id: expect.any(String) });
  expect(existsSync(at('d/b.txt'))).toBe(false);
  expect(await data('restore', { path: 'd/b.txt' })).toMatchObject({ path: at('d/b.txt') });
  expect(world.read('d/b.txt')).toBe('one\ntwo\n');
  expect(await data('move', { path: 'd/b.txt', destination: 'd/e/c.txt' }, all)).toMatchObject({ action: 'move' });
  expect(existsSync(at('d/e/c.txt'))).toBe(true);
});

test('[E25][E26] nobody to ask means no: what lies outside is neither read, nor listed, nor written', async () => {
  const world = createProgramWorld();
  const outside = path.join(world.root, 'outside');
  mkdirSync(outside);
  writeFileSync(path.join(outside, 'x.txt'), 'canary');
  symlinkSync(path.join(outside, 'x.txt'), path.join(world.workspace, 'link.txt'));
  symlinkSync(outside, path.join(world.workspace, 'linked'));
  const attempts: readonly [string, object][] = [
    ['read_file', { path: '../outside/x.txt' }],
    ['read_file', { path: path.join(outside, 'x.txt') }],
    ['read_file', { path: 'link.txt' }],
    ['read_file', { path: 'linked/x.txt' }],
    ['write_file', { path: 'link.txt', content: 'broken' }],
    ['write_file', { path: 'linked/new.txt', content: 'broken' }],
    ['edit_file', { path: 'link.txt', oldString: 'canary', newString: 'broken' }],
    ['glob', { pattern: '*', path: '../outside' }],
    ['grep', { pattern: 'canary', path: 'linked' }],
    ['search_in_files', { query: 'canary', path: outside }],
    ['find_files', { pattern: 'x.txt', path: outside }],
    ['filesystem', { action: 'list', path: outside }],
    ['filesystem', { action: 'copy', path: 'link.txt', destination: 'copy.txt' }],
    ['filesystem', { action: 'append', path: 'link.txt', content: 'broken' }],
  ];
  for (const [at, [tool, input]] of attempts.entries()) {
    const flags = at % 2 === 0 ? [] : ['--approve', 'ask'];
    const { outcome } = await callTool(world, tool, input, { flags });
    expect([tool, input, outcome.error?.code]).toEqual([tool, input, 'denied']);
    expect(outcome.text).not.toContain('canary');
  }
  expect(statSync(path.join(outside, 'x.txt')).size).toBe(6);
  expect([
    existsSync(path.join(outside, 'new.txt')),
    lstatSync(path.join(world.workspace, 'link.txt')).isSymbolicLink(),
  ]).toEqual([false, true]);
  // The twin: the same reach with a yes.
  expect(await dataOf(world, 'read_file', { path: 'link.txt' }, { flags: ['--approve', 'all'] })).toMatchObject({
    content: 'canary',
  });
  // Text inside the workspace search does not follow the link.
  expect(await dataOf(world, 'grep', { pattern: 'canary' })).toMatchObject({ count: 0 });
});

test('[A8] fields of a call cannot approve it', async () => {
  const world = createProgramWorld();
  for (const field of ['approved', 'approve', 'permission', '__proto__']) {
    const input = `{"path":"/etc/hostname","${field}":"all"}`;
    const { outcome } = await callTool(world, 'read_file', input);
    expect([field, outcome.ok, outcome.error?.code]).toEqual([
      field,
      false,
      expect.stringMatching(/^(invalid_input|denied)$/u),
    ]);
  }
});

test('[K09] get_local_time follows TZ, under both names and in every spelling that a TZ has', async () => {
  const world = createProgramWorld();
  const zones: readonly [string, string, string][] = [
    ['Asia/Tokyo', 'Asia/Tokyo', '+09:00'],
    ['Asia/Kolkata', 'Asia/Kolkata', '+05:30'],
    [':Asia/Kathmandu', 'Asia/Kathmandu', '+05:45'],
    ['Etc/GMT+5', 'Etc/GMT+5', '-05:00'],
    ['Nowhere/Odd', 'UTC', '+00:00'],
    ['', 'UTC', '+00:00'],
  ];
  for (const [at, [TZ, timezone, offset]] of zones.entries()) {
    const before = Date.now();
    const tool = at % 2 === 0 ? 'get_local_time' : 'get_current_datetime';
    const data = await dataOf(world, tool, {}, { env: { TZ } });
    expect(Object.keys(data).sort()).toEqual([
      'day_of_week',
      'display_datetime',
      'iso_datetime',
      'timezone',
      'utc_offset',
    ]);
    expect(data).toMatchObject({ timezone, utc_offset: offset });
    const told = Date.parse(`${data['iso_datetime'] as string}${offset}`);
    expect(told).toBeGreaterThanOrEqual(before - 1_000);
    expect(told).toBeLessThanOrEqual(Date.now());
    expect(data['display_datetime']).toMatch(
      new RegExp(`^${data['day_of_week'] as string}, \\w+ \\d+, \\d{4} at \\d+:\\d\\d [AP]M$`, 'u'),
    );
  }
});
