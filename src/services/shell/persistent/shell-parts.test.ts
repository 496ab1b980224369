/** The small parts of conversations' shells, each on its own. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDeclarations } from './exported-variables.ts';
import { createSavedMemory } from './saved-memory.ts';
import { createShellFolder } from './shell-folder.ts';
import type { ShellMemory } from './shell-memory.ts';
import { restoreScript, stateFieldCount } from './shell-script.ts';
import { createStatusReader, type ShellRecord } from './status-reader.ts';
import { createTurns } from './take-turns.ts';

const bash = (script: string): string =>
  execFileSync('bash', ['--norc', '-c', script], { env: { PATH: process.env['PATH'] }, encoding: 'latin1' });

describe('what bash says of its variables', () => {
  const script = `export A='x
declare -x FORGED="1"
y' B='a"b\`c$d\\e' C=$'\\001\\377\\n' D= E; declare -ax LIST=("1 2" '"') ; declare -ix N=-3; declare -rx R=1; declare -Ax MAP=([a b]=1); export E`;

  it('[S33] is taken apart at the right places, whatever the values hold', () => {
    const names = parseDeclarations(bash(`${script}; declare -px`)).map(({ name }) => name);
    const own = new Set(['PATH', 'PWD', 'OLDPWD', 'SHLVL', '_']);
    expect(names.filter((name) => !own.has(name))).toEqual(['A', 'B', 'C', 'D', 'E', 'LIST', 'MAP', 'N', 'R']);
    expect(names).not.toContain('FORGED');
  });

  it('[S33] makes the same variables when it is read back', () => {
    const printed = bash(`${script}; declare -px`);
    const texts = parseDeclarations(printed)
      .filter(({ name }) => !['PWD', 'SHLVL', '_', 'OLDPWD', 'PATH'].includes(name))
      .map(({ text }) => text);
    const again = execFileSync('bash', ['--norc'], {
      input: Buffer.from(`${restoreScript(texts, [], '/')}declare -px`, 'latin1'),
      encoding: 'latin1',
      env: { PATH: process.env['PATH'] },
    });
    for (const text of texts) expect(again).toContain(`${text}\n`);
  });

  it.each([
    'declare -x A="$(touch /tmp/never)"',
    'declare -x A="`touch /tmp/never`"',
    'declare -x A=$(touch /tmp/never)',
    'declare -x A="1"; touch /tmp/never',
    'declare -x A="1" B="$(x)"',
    'declare -ix A="a[\\$(touch /tmp/never)]"',
    'declare -nx A="B[\\$(touch /tmp/never)]"',
    "declare -ax A='([0]=$(touch /tmp/never))'",
    'declare -ax A=([$(touch /tmp/never)]="1")',
    'declare -ax A=([0]="1" $(touch /tmp/never))',
    'touch /tmp/never',
    'declare -x A-B="1"',
  ])('[A15] and when somebody forged it, nothing of it runs: %s', (forged) => {
    expect(parseDeclarations(`${forged}\ndeclare -x LAST="1"`)).toEqual([
      { name: 'LAST', text: 'declare -x LAST="1"' },
    ]);
  });

  it('takes a value of a megabyte', () => {
    const text = `declare -x A="${'x\\"'.repeat(350_000)}"`;
    expect(parseDeclarations(text)).toEqual([{ name: 'A', text }]);
  });
});

describe('the records of a shell', () => {
  const state = Array.from({ length: stateFieldCount }, (_, index) => `field ${index}\n`);
  const end = ['end', '7', 'nonce', '3', '', ...state].map((field) => `${field}\0`).join('');

  function read(chunks: readonly string[]): ShellRecord[] {
    const records: ShellRecord[] = [];
    const take = createStatusReader((record) => records.push(record));
    for (const chunk of chunks) take(Buffer.from(chunk, 'latin1'));
    return records;
  }

  it('are read in pieces of any size', () => {
    const whole = read([end, end]);
    expect(whole).toHaveLength(2);
    expect(whole[0]).toMatchObject({ kind: 'end', id: 7, nonce: 'nonce', code: 3, state: { cwd: 'field 0' } });
    expect(read((end + end).split(''))).toEqual(whole);
  });

  it('begin with a kind: what anybody else writes between them is passed over', () => {
    expect(read([`noise\0 more\0\0${end}`])).toHaveLength(1);
    expect(read([`leave\0half of it\0garbage`, `\0${end}`])).toHaveLength(1);
    expect(read(['fork\x001\0n\x002\0\0', end]).map(({ kind }) => kind)).toEqual(['fork', 'end']);
  });

  it('are given up when they never end', () => {
    const take = createStatusReader(() => undefined);
    const before = process.memoryUsage().rss;
    for (let count = 0; count < 200; count += 1) take(Buffer.alloc(1024 * 1024, 'x'));
    expect(process.memoryUsage().rss - before).toBeLessThan(180 * 1024 * 1024);
  });
});

describe('turns', () => {
  it('come in order, and one that is called off is passed over', async () => {
    const turns = createTurns();
    const order: string[] = [];
    const never = new AbortController().signal;
    const stop = new AbortController();
    const endFirst = await turns.take(never);
    const second = turns.take(stop.signal);
    const third = turns.take(never).then((endTurn) => {
      order.push('third');
      endTurn();
    });
    const fourth = turns.take(never).then((endTurn) => {
      order.push('fourth');
      endTurn();
    });
    stop.abort(new Error('called off'));
    await expect(second).rejects.toThrow('called off');
    expect(turns.isBusy()).toBe(true);
    endFirst();
    endFirst();
    await Promise.all([third, fourth]);
    expect(order).toEqual(['third', 'fourth']);
    expect(turns.isBusy()).toBe(false);
  });
});

describe('what is saved', () => {
  const memory: ShellMemory = {
    cwd: '/tmp/\u00ff\n', exports: [{ name: 'A', text: 'declare -x A="\u0080"' }], unset: ['B'], functions: ['f'], aliases: [],
    variables: ['v'], tooLarge: [], influences: ['PATH'], background: 2,
  }; // prettier-ignore

  it('[S33] comes back byte for byte, apart per rung and conversation, and can be forgotten', () => {
    const folder = mkdtempSync(join(tmpdir(), 'handrail-saved-'));
    try {
      const saved = createSavedMemory(folder);
      expect(saved.read('a', 'namespaces')).toBeUndefined();
      expect(saved.write('a', 'namespaces', memory)).toBe(true);
      expect(createSavedMemory(folder).read('a', 'namespaces')).toEqual(memory);
      for (const [id, rung] of [
        ['a', 'host'],
        ['b', 'namespaces'],
      ] as const)
        expect(saved.read(id, rung)).toBeUndefined();
      saved.write('../../evil/..', 'host', memory);
      expect(saved.read('../../evil/..', 'host')).toEqual(memory);
      expect(readdirSync(folder)).toHaveLength(2);
      saved.forget('a');
      expect(saved.read('a', 'namespaces')).toBeUndefined();
      expect(saved.write('a', 'namespaces', memory)).toBe(true);
      expect(saved.read('a', 'namespaces')).toEqual(memory);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the pipes of a shell', () => {
  async function withFolder(work: (folder: ReturnType<typeof createShellFolder>) => Promise<void>): Promise<void> {
    const parent = mkdtempSync(join(tmpdir(), 'handrail-pipes-test-'));
    const folder = createShellFolder(parent, 3);
    try {
      await folder.prepare({ uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }, () => undefined, false);
      await work(folder);
    } finally {
      folder.close();
      expect(readdirSync(parent)).toEqual([]);
      rmSync(parent, { recursive: true });
    }
  }

  it('[S36] are not used again while somebody holds them, and are when nobody does', async () => {
    await withFolder(async (folder) => {
      const pair = await folder.takePair();
      const writer = openSync(join(folder.path, `out.${pair.slot}`), 'w');
      folder.giveBack(pair);
      const others = [await folder.takePair(), await folder.takePair()];
      expect(others.map(({ slot }) => slot)).not.toContain(pair.slot);
      await expect(folder.takePair()).rejects.toMatchObject({ code: 'busy' });
      closeSync(writer);
      expect((await folder.takePair()).slot).toBe(pair.slot);
      for (const other of others) folder.giveBack(other);
    });
  });

  it('give what was written before to the sink, and what comes later to nobody', async () => {
    await withFolder(async (folder) => {
      const pair = await folder.takePair();
      const got: string[] = [];
      pair.attach((stream, bytes) => got.push(`${stream} ${bytes.toString()}`));
      const writer = openSync(join(folder.path, `err.${pair.slot}`), 'w');
      writeSync(writer, 'early');
      pair.drain();
      expect(got).toEqual(['stderr early']);
      pair.attach(undefined);
      writeSync(writer, 'late');
      pair.drain();
      pair.attach((stream, bytes) => got.push(`${stream} ${bytes.toString()}`));
      pair.drain();
      expect(got).toEqual(['stderr early']);
      closeSync(writer);
      folder.giveBack(pair);
    });
  });
});
