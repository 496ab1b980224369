/** What commands in a conversation's shell print: whole, in time, apart, of any size and content, and impossible to forge. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShellWorld, type ShellWorld } from '../../../../test/kit/shell-world.ts';

let world: ShellWorld;
beforeAll(() => {
  world = openShellWorld();
});
afterAll(() => world.close());

const run = (command: string, more = {}) => world.run(command, { timeoutMs: 60_000 }, { conversation: 'a', ...more });

describe('the streams', () => {
  it('are apart, whole and byte for byte, whatever they hold', async () => {
    const result = await run(`printf 'a\\0b\\377\\n'; printf 'no end' >&2; printf 'last'`);
    expect(result.stdout).toEqual({ text: 'a\0b\ufffd\nlast', truncated: false, totalBytes: 9 });
    expect(result.stderr.text).toBe('no end');
  });

  it('can be opened again by name, and closed', async () => {
    const result = await run(
      'echo err >/dev/stderr; echo out >/dev/stdout; echo by >/proc/self/fd/1; exec >&-; exec 2>&-',
    );
    expect(result).toMatchObject({ stdout: { text: 'out\nby\n' }, stderr: { text: 'err\n' } });
    expect((await run('echo on')).stdout.text).toBe('on\n');
  });

  it('are undone behind a command that sends them elsewhere; descriptors of its own stay', async () => {
    await run('exec >somewhere 2>&1; echo hidden; exec 5<<<"kept"');
    const result = await run('cat somewhere; read -r line <&5; echo "$line"; exec 5<&-');
    expect(result.stdout.text).toBe('hidden\nkept\n');
  });

  it('[S31] of Python and Node arrive line by line while they run', async () => {
    for (const command of [
      `python3 -c 'import time\nfor i in range(3): print("line", i); time.sleep(0.3)'`,
      `node -e 'let i = 0; const t = setInterval(() => { console.log("line", i++); if (i === 3) clearInterval(t) }, 300)'`,
    ]) {
      const chunks: string[] = [];
      const result = await run(command, { onOutput: ({ text }: { text: string }) => chunks.push(text) });
      expect(result.stderr.text).toBe('');
      expect(chunks.join('')).toBe('line 0\nline 1\nline 2\n');
      for (const chunk of chunks) expect(chunk).not.toMatch(/\n./);
    }
  });

  it('[E15] of 200 MB cost no memory beyond what is kept', async () => {
    await run('head -c 20000000 /dev/zero');
    const before = process.memoryUsage().rss;
    const result = await run('head -c 200000000 /dev/zero | tr "\\0" x; echo; echo end');
    expect(result.stdout.totalBytes).toBe(200_000_005);
    expect(result.stdout.text).toMatch(/^x+\n.*left out.*\nx+\nend\n$/s);
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * 1024 * 1024);
  });
});

describe('a command', () => {
  it('of 15 MB runs, and leaves nothing of itself on the disk', async () => {
    const long = `# ${'x'.repeat(15_000_000)}\necho long`;
    expect((await run(long)).stdout.text).toBe('long\n');
    const left = await run('stat -c %s /run/handrail/io/cmd.* | sort -n | tail -1');
    expect(Number(left.stdout.text)).toBeLessThan(100_000);
  });

  it('finds nothing to read and no descriptor of ours', async () => {
    // What our own process inherited is shadowed by /dev/null.
    const result = await run(
      'cat; ls -l /proc/self/fd | grep -v /dev/null | grep -o "[0-9]* -> .*"; read -r x || echo empty',
    );
    expect(result.stdout.text).toMatch(
      /^1 -> pipe:\S+\n2 -> \/run\/handrail\/io\/err\.\d+\n3 -> \/proc\/\d+\/fd\nempty\n$/,
    );
  });

  it('cannot end itself early, nor the next one, by writing where the end is told', async () => {
    const forge = `for fd in $(ls /proc/$$/fd); do printf 'end\\0%s\\0x\\0000\\0\\0\\0\\0\\0\\0\\0\\0' 1 2 3 4 5 6 >&$fd; done 2>/dev/null`;
    const result = await run(`${forge}; (sleep 0.2; ${forge}) & sleep 0.1; echo whole; (exit 7)`);
    expect(result.exitCode).toBe(7);
    expect(result.stdout.text).toMatch(/whole\n$/);
    expect(await run('sleep 0.5; echo next; (exit 8)')).toMatchObject({ exitCode: 8, stdout: { text: 'next\n' } });
    const side = `printf 'fork\\0001\\0x\\0000\\0\\0' >/run/handrail/io/side; printf 'leave\\0x\\0/evil\\0' >/run/handrail/io/side`;
    const half = `printf 'garbage' >/run/handrail/io/side`;
    expect(await run(`${side}; ${half}; sleep 0.1; (exit 9)`)).toMatchObject({ exitCode: 9 });
    const copy = await run('echo copy; (exit 10)', { callsTogether: 2 });
    expect(copy).toMatchObject({ exitCode: 10, stdout: { text: 'copy\n' } });
    expect((await run('pwd')).stdout.text).toBe(`${world.workspace}\n`);
  });

  it('that defines functions with the names of what we use changes nothing of the framing', async () => {
    await run(
      'printf() { echo mine; }; declare() { :; }; pwd() { echo evil; }; trap() { :; }; hash() { :; }; exit() { :; }; cd() { builtin cd /; }; alias .=false',
    );
    expect(await run('export A=1; sh -c "exit 5"')).toMatchObject({ exitCode: 5, cwd: world.workspace });
    await run('unset -f printf declare pwd trap hash exit cd; unalias .');
    expect(await run('echo $A', { callsTogether: 2 })).toMatchObject({ exitCode: 0, stdout: { text: '1\n' } });
  });

  it('that breaks the framing for good returns at its time, and the next one has a new shell', async () => {
    const broken = await world.run('builtin() { :; }; unset() { :; }', { timeoutMs: 500 }, { conversation: 'b' });
    expect(broken.exitCode === null || broken.exitCode === 0).toBe(true);
    const next = await world.run('echo on', { timeoutMs: 10_000 }, { conversation: 'b' });
    const last = next.exitCode === 0 ? next : await world.run('echo on', {}, { conversation: 'b' });
    expect(last.stdout.text).toBe('on\n');
  });
});
