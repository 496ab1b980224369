/** What a conversation's shell keeps from command to command, over its own end, and over the end of the program. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { newMark, processesWith } from '../../../../test/kit/hang-cases.ts';
import { openShellWorld, type ShellWorld, type ShellWorldOptions } from '../../../../test/kit/shell-world.ts';
import { commandLine, listProcesses } from '../process-tree.ts';

const worlds: ShellWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

function open(options: ShellWorldOptions = {}): ShellWorld {
  const world = openShellWorld(options);
  worlds.push(world);
  return world;
}

/** In the shell of conversation `a` unless another one is named. */
function shellIn(world: ShellWorld) {
  return async (command: string, request = {}, conversation = 'a') => {
    const result = await world.run(command, request, { conversation });
    return { ...result, out: result.stdout.text, err: result.stderr.text, note: result.notes.join('\n') };
  };
}

describe.each(['namespaces', 'host'] as const)('the shell of a conversation on the rung %s', (rung) => {
  it('[S02] carries directory, exports, functions, aliases and variables', async () => {
    const run = shellIn(open({ rung }));
    await run('cd /tmp; export A=1; f(){ echo hi; }; alias two="echo 2"; u=3');
    expect(await run('pwd; f; two; echo $A$u')).toMatchObject({ out: '/tmp\nhi\n2\n13\n', cwd: '/tmp', notes: [] });
  });

  it('[S03] [S05] is another one for another conversation: nothing crosses', async () => {
    const world = open({ rung });
    const run = shellIn(world);
    await run('cd /tmp; export A=1; u=2; f() { :; }; sleep 100 & :');
    const other = await run('pwd; echo "[$A$u]"; type -t f; jobs', {}, 'b');
    expect(other).toMatchObject({ out: `${world.workspace}\n[]\n`, notes: [] });
    expect((await run('jobs')).out).toContain('sleep 100');
  });

  it('[S17] [K58] fresh runs apart, and leaves no trace in it', async () => {
    const run = shellIn(open({ rung }));
    await run('export A=1; cd /tmp');
    expect((await run('echo "[$A]"; pwd; export B=1', { fresh: true })).out).not.toContain('/tmp\n');
    expect((await run('echo "[$A$B]"; pwd')).out).toBe('[1]\n/tmp\n');
  });

  it('[K58] variables and folder of a call are for that call alone', async () => {
    const world = open({ rung });
    const run = shellIn(world);
    await run('mkdir -p sub/below; cd sub; export B=old');
    const call = { workingDir: '/usr', env: { A: `it's "1"\n$HOME`, B: 'new' } };
    const result = await run('pwd; echo "$A" "$B"; cd bin; sh -c "echo \\$B"', call);
    expect(result).toMatchObject({ out: `/usr\nit's "1"\n$HOME new\nnew\n`, cwd: '/usr', notes: [] });
    expect((await run('pwd; echo "[$A]" $B; cd - >/dev/null; pwd')).out).toBe(
      `${world.workspace}/sub\n[] old\n${world.workspace}\n`,
    );
    expect(await run('pwd', { workingDir: 'sub/below' })).toMatchObject({ out: `${world.workspace}/sub/below\n` });
    await expect(run('touch never', { workingDir: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' });
    expect((await run('ls')).out).toBe('sub\n');
  });

  it.each([
    ['exit 3', 3, true],
    ['set -e; false', 1, true],
    ['kill -9 $$', 137, false],
    ['exec sh -c "exit 9"', 9, false],
    ["trap 'echo mine' EXIT; exit 4", 4, false],
  ])(
    '[S22] [S23] after `%s` the next command has directory and exports, and once a note says what is lost',
    async (command, exitCode, isCurrent) => {
      const run = shellIn(open({ rung }));
      await run('cd /tmp; export A="x y"; f() { :; }; alias g=h; u=1');
      const last = await run(`export B=2; ${command}`);
      expect(last.exitCode).toBe(exitCode);
      expect(last.note).toContain(
        'The next command gets a new one. Kept: the directory /tmp and the exported variable',
      );
      expect(last.note).toContain('Lost: the function f; the alias g; the variable u (not exported)');
      expect(last.note.includes('is not kept')).toBe(!isCurrent);
      const next = await run('pwd; echo "$A[$B$u]"; type f g');
      expect(next).toMatchObject({ out: isCurrent ? '/tmp\nx y[2]\n' : '/tmp\nx y[]\n', notes: [] });
      expect(next.exitCode).toBe(1);
    },
  );

  it('[S33] a later program restores directory and exports of any content, and says once what is lost', async () => {
    const first = open({ rung });
    const run = shellIn(first);
    await run(
      `cd /tmp; export A='a"b\`c$d\\e' B=$'1\\n2\\001\\377' C=; export -n LANG; declare -rx D=4; declare -ix E=5; f() { :; }`,
    );
    await run('PATH=$PATH:/opt; unset PYTHONUNBUFFERED; export HUGE=$(head -c 150000 /dev/zero | tr "\\0" x)');
    await first.owner.close();

    const sandbox = { stateFolder: first.stateFolder, homeFolder: join(first.stateFolder, 'home') };
    const second = shellIn(open({ rung, workspace: first.workspace, sandbox }));
    const result = await second(
      'pwd; printf "%s|" "$A" "$B" "${C-unset}" "$D" "$E" "${LANG-unset}" | od -An -c | tr -d " \\n"; echo ${PATH##*:} ${PYTHONUNBUFFERED-unset} ${#HUGE}; D=5',
    );
    expect(result.out).toBe('/tmp\na"b`c$d\\e|1\\n2001377||4|5|unset|/opt unset 0\n');
    expect(result.err).toContain('readonly');
    expect(result.note).toBe(
      'The shell of this conversation was started anew. Kept: the directory /tmp and the exported variables A, B, C, D, E, PATH. Lost: the function f; the variable HUGE (too large).',
    );
    expect((await second('pwd')).notes).toEqual([]);
  });

  it('[S33] a directory that is gone by then is said, and commands start in the workspace', async () => {
    const first = open({ rung });
    await shellIn(first)('mkdir gone; cd gone; export A=1');
    await first.owner.close();
    const sandbox = { stateFolder: first.stateFolder, homeFolder: join(first.stateFolder, 'home') };
    renameSync(join(first.workspace, 'gone'), join(first.workspace, 'other'));
    const second = shellIn(open({ rung, workspace: first.workspace, sandbox }));
    const result = await second('pwd; echo $A');
    expect(result).toMatchObject({ out: `${first.workspace}\n1\n`, cwd: first.workspace });
    expect(result.note).toContain(`Its directory ${first.workspace}/gone does not exist any more`);
  });

  it('[S19] [S35] Stop gives up the command and keeps directory, exports and variables', async () => {
    const world = open({ rung });
    const run = shellIn(world);
    await run('cd /tmp; export A=1; u=2');
    const stop = new AbortController();
    const shown = (chunk: { text: string }): void => {
      if (chunk.text.includes('up')) stop.abort();
    };
    const mark = newMark();
    const command = `sleep ${mark} & setsid sleep ${mark} & echo up; sleep ${mark}`;
    await expect(
      world.run(command, {}, { conversation: 'a', signal: stop.signal, onOutput: shown }),
    ).rejects.toMatchObject({ code: 'cancelled' });
    expect(processesWith(mark)).toEqual([]);
    expect(await run('pwd; echo $A$u')).toMatchObject({ out: '/tmp\n12\n', notes: [] });
  });

  it('[S20] [S21] what ignores every signal costs the shell, and the next command has a new one', async () => {
    const run = shellIn(open({ rung }));
    await run('cd /tmp; export A=1; u=2');
    const result = await run("trap '' INT TERM; while :; do sleep 0.05; done", { timeoutMs: 300 });
    expect(result).toMatchObject({ exitCode: null, timedOut: true });
    expect(result.note).toContain('did not give the command up and was ended with it');
    expect(result.note).toContain('Lost: the variable u (not exported)');
    expect(await run('pwd; echo $A; echo ok')).toMatchObject({ out: '/tmp\n1\nok\n', notes: [] });
  });

  it('[S06] [S07] starts with the first command, is one process however many follow, and goes with its conversation', async () => {
    const world = open({ rung });
    const run = shellIn(world);
    const pids = async (): Promise<string> => (await run('echo $$')).out;
    const first = await pids();
    expect(await pids()).toBe(first);
    await run('export A=1; f() { :; }');
    expect(existsSync(join(world.stateFolder, 'shells', 'a'))).toBe(true);
    await world.owner.closeConversation('a');
    expect((await run('echo $A')).note).toContain(
      'was closed and started anew. Kept: the exported variable A. Lost: the function f',
    );
    await world.owner.closeConversation('a', { forget: true });
    expect(existsSync(join(world.stateFolder, 'shells', 'a'))).toBe(false);
    expect(await run('echo "[$A]"')).toMatchObject({ out: '[]\n', notes: [] });
  });

  it('[S07] closing all shells ends each, and each conversation goes on where it was', async () => {
    const world = open({ rung });
    const run = shellIn(world);
    for (const conversation of ['a', 'b']) await run('cd /tmp; sleep 2000 & :', {}, conversation);
    await world.owner.closeAll();
    expect(listProcesses().filter(({ pid }) => commandLine(pid) === 'sleep 2000')).toEqual([]);
    for (const conversation of ['a', 'b']) expect((await run('pwd', {}, conversation)).out).toBe('/tmp\n');
  });

  it('[S34] beyond the cap the shell that was not used for longest is closed, and comes back with what is lost', async () => {
    const world = open({ rung, shell: { shells: { idle: { maxShells: 2, maxMs: 60_000 } } } });
    const run = shellIn(world);
    for (const conversation of ['a', 'b', 'c']) await run(`export NAME=${conversation}; f() { :; }`, {}, conversation);
    expect((await run('echo $NAME', {}, 'c')).notes).toEqual([]);
    expect((await run('echo $NAME', {}, 'b')).notes).toEqual([]);
    expect(await run('echo $NAME', {}, 'a')).toMatchObject({
      out: 'a\n',
      notes: [
        'The shell of this conversation had been idle and was closed; this one is new. Kept: the exported variable NAME. Lost: the function f.',
      ],
    });
  });

  it('[S34] an idle shell is closed after its time', async () => {
    const world = open({ rung, shell: { shells: { idle: { maxShells: 8, maxMs: 50 } } } });
    const run = shellIn(world);
    await run('export A=1');
    await expect
      .poll(() => world.owner.shellState('a').root === undefined && !world.owner.hasBackground('a'))
      .toBe(true);
    await expect
      .poll(async () => (await run('echo $A')).note, { timeout: 10_000, interval: 300 })
      .toContain('had been idle');
  });

  it('a workspace that was replaced is seen, by a shell that stands in the new one', async () => {
    const world = open({ rung });
    const run = shellIn(world);
    await run('touch old; export A=1');
    renameSync(world.workspace, `${world.workspace}.before`);
    mkdirSync(world.workspace);
    const result = await run('ls; echo $A');
    expect(result.out).toBe('1\n');
    expect(result.note).toContain('The workspace folder was replaced');
  });
});

describe('what is kept of a shell', () => {
  it('[A23] is ours alone, and only there when there is something to keep', async () => {
    const world = open();
    const run = shellIn(world);
    await run('echo nothing new');
    const folder = join(world.stateFolder, 'shells', 'a');
    expect(existsSync(folder)).toBe(false);
    await run('export SECRET=1');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).toEqual(['namespaces.json']);
    expect(statSync(join(folder, 'namespaces.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'namespaces.json'), 'utf8')).toContain('SECRET');
  });

  it('is nothing for a conversation that is thrown away', async () => {
    const world = open();
    await world.run('cd /tmp; export A=1');
    expect(existsSync(join(world.stateFolder, 'shells'))).toBe(false);
  });

  it('stays on its rung: what was exported inside never comes to the host', async () => {
    const inside = open();
    await shellIn(inside)('export PATH=/evil:$PATH LD_PRELOAD=/evil.so; cd /tmp');
    await inside.owner.close();
    const sandbox = { stateFolder: inside.stateFolder, homeFolder: join(inside.stateFolder, 'home') };
    const host = shellIn(open({ rung: 'host', workspace: inside.workspace, sandbox }));
    expect(await host('echo "${PATH%%:*} $LD_PRELOAD"; pwd')).toMatchObject({
      out: expect.not.stringContaining('evil') as string,
      notes: [],
    });
  });

  it('is passed over when the disk takes no more, and the result says so', async () => {
    const world = open();
    const run = shellIn(world);
    await run('echo');
    mkdirSync(join(world.stateFolder, 'shells'), { recursive: true });
    renameSync(join(world.stateFolder, 'shells'), join(world.stateFolder, 'elsewhere'));
    // Nothing can be made below a file.
    writeFileSync(join(world.stateFolder, 'shells'), '');
    expect((await run('export A=1')).note).toContain('could not be saved for later');
    expect((await run('echo $A')).out).toBe('1\n');
  });

  it('[A15] names what was changed that changes what later commands do', async () => {
    const world = open();
    const run = shellIn(world);
    expect(world.owner.shellChanges('a')).toEqual({ variables: [], functions: [], aliases: [], traps: [] });
    await run(
      'export PATH=/evil:$PATH GIT_SSH_COMMAND=evil HARMLESS=1; PROMPT_COMMAND=evil; git() { :; }; alias ls=evil',
    );
    const changes = world.owner.shellChanges('a');
    expect([...changes.variables].sort()).toEqual(['GIT_SSH_COMMAND', 'PATH', 'PROMPT_COMMAND']);
    expect(changes).toMatchObject({ functions: ['git'], aliases: ['ls'] });
  });

  it.each([
    ['traps on ERR and RETURN', "trap 'evil' ERR RETURN", { traps: ['ERR', 'RETURN'] }],
    ['a trap on EXIT', "trap 'evil' EXIT", { traps: ['EXIT'] }],
    ['a trap on a signal', "trap 'evil' INT CHLD", { traps: ['SIGINT', 'SIGCHLD'] }],
    ['what runs before a prompt', 'PROMPT_COMMAND=(a evil)', { variables: ['PROMPT_COMMAND'] }],
    ['a reference to it', 'declare -n PROMPT_COMMAND=x; x=evil', { variables: ['PROMPT_COMMAND'] }],
    [
      'what runs for unknown names',
      'command_not_found_handle() { evil; }',
      { functions: ['command_not_found_handle'] },
    ],
  ])('[A15] names %s, and that it is gone when it is', async (_what, text, changed) => {
    const world = open();
    const run = shellIn(world);
    await run(text);
    expect(world.owner.shellState('a')).toMatchObject({ variables: [], functions: [], traps: [], ...changed });
    expect((await run('echo on', { timeoutMs: 5000 })).out).toBe('on\n');
    expect(world.owner.shellState('a')).toMatchObject(changed);
    await run('trap - DEBUG ERR RETURN EXIT INT CHLD; unset -n PROMPT_COMMAND; unset -v PROMPT_COMMAND');
    await run('unset -f command_not_found_handle; :');
    expect(world.owner.shellState('a')).toMatchObject({ variables: [], functions: [], traps: [] });
  });

  it.each([
    ['of one line', "trap 'PATH=/evil:$PATH' DEBUG"],
    ['of several lines', "trap 'it='\\''s'\\''\nevil=1\n' DEBUG"],
  ])('[A15] names a trap on DEBUG %s, which bash hides in functions', async (_what, text) => {
    const world = open();
    const run = shellIn(world);
    await run(text);
    expect(world.owner.shellState('a')).toMatchObject({ traps: ['DEBUG'] });
    expect((await run('echo on', { timeoutMs: 5000 })).out).toBe('on\n');
    expect(world.owner.shellState('a')).toMatchObject({ traps: ['DEBUG'] });
    // Another conversation's shell is as it was: what is named is not always named.
    await run('echo on', {}, 'b');
    expect(world.owner.shellState('b')).toMatchObject({ variables: [], functions: [], aliases: [], traps: [] });
  });
});
