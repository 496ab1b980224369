/** The rung that is compatibility, not isolation: it works, it says what it is, and it leaves nothing behind. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { rungText } from '../../src/base/rung-text.ts';
import { environmentText } from '../../src/executor/offered-tools.ts';
import { isRoot, makeOrdinaryFolder, ordinaryUid, runAsOrdinaryUser } from '../kit/ordinary-user.ts';
import { openShellWorld, type ShellWorld, type ShellWorldOptions } from '../kit/shell-world.ts';
import { commandLine, listProcesses } from '../../src/services/shell/process-tree.ts';
import { findProot } from '../../src/services/sandbox/find-proot.ts';

const opened: ShellWorld[] = [];
afterEach(async () => {
  for (const world of opened.splice(0)) await world.close();
});

function open(options: ShellWorldOptions = {}): ShellWorld {
  const world = openShellWorld({ rung: 'proot', ...options });
  opened.push(world);
  return world;
}

const livingWith = (mark: string): string[] =>
  listProcesses()
    .filter((entry) => !entry.isZombie)
    .map((entry) => commandLine(entry.pid))
    .filter((line) => line.includes(mark));

/** Opens a file by openat2(2), which no version of proot rewrites: 437 on every processor. */
const openBehindItsBack = (path: string): string =>
  `perl -e 'my ($p, $how) = ($ARGV[0] . "\\0", "\\0" x 24); my $f = syscall(437, -100, $p, $how, 24); open(F, "<&=", $f) and print <F>' -- ${path}`;

describe('a command under proot', () => {
  it('[K45] sees the workspace and its home, keeps its streams and its code', async () => {
    const world = open();
    const result = await world.run('echo made >made; touch ~/kept; ls -a ~; pwd; echo "$A"; echo oops >&2; exit 7', {
      env: { A: "it's\nhere" },
    });
    expect(result).toMatchObject({ exitCode: 7, rung: 'proot', stderr: { text: 'oops\n' } });
    expect(result.stdout.text).toBe(`.\n..\nkept\n${world.workspace}\nit's\nhere\n`);
    expect((await open({ workspace: world.workspace }).run('cat made')).stdout.text).toBe('made\n');
  });

  it('[A33] ends with everything it has started, also what proot would let live', async () => {
    const world = open();
    const mark = `${300_000 + Math.floor(Math.random() * 99_999)}.${process.pid}`;
    const result = await world.run(`setsid sleep ${mark} & (setsid sleep ${mark} &) ; echo done`);
    expect(result).toMatchObject({ exitCode: 0, stdout: { text: 'done\n' } });
    expect(livingWith(mark)).toEqual([]);
    const slow = await world.run(`trap '' INT TERM; setsid sleep ${mark} & while :; do sleep 1; done`, {
      timeoutMs: 2000,
    });
    expect(slow).toMatchObject({ timedOut: true, exitCode: null });
    await expect.poll(() => livingWith(mark), { timeout: 5000 }).toEqual([]);
    const folder = join(world.stateFolder, 'sandbox');
    expect(readdirSync(folder).filter((name) => name.startsWith('start-'))).toEqual([]);
  });

  it('[A33] gains nothing by a setuid program, and root has no capability', async () => {
    const result = await open().run('grep -E "^(CapEff|NoNewPrivs)" /proc/self/status | cut -f2');
    expect(result.stdout.text).toBe('0000000000000000\n1\n');
  });

  it('[A33] its key of our environment is not there', async () => {
    const world = open({ environment: { ...process.env, OPENAI_API_KEY: 'canary-7f3a' } });
    expect((await world.run('env; cat /proc/self/environ')).stdout.text).not.toContain('canary');
  });

  it('[K45] works for an ordinary user', async () => {
    const folder = makeOrdinaryFolder();
    try {
      const input = { world: { rung: 'proot' }, commands: [{ command: 'id -u; touch ~/a made; ls ~' }] };
      const session = await runAsOrdinaryUser('test/fixtures/shell-session.ts', input, folder.path, {
        TMPDIR: folder.path,
      });
      expect(session).toMatchObject({ results: [{ exitCode: 0, stdout: { text: `${ordinaryUid}\na\n` } }] });
    } finally {
      folder.remove();
    }
  });

  it.runIf(isRoot)('[K45] drops from root to the owner of the workspace', async () => {
    const folder = makeOrdinaryFolder();
    try {
      const result = await open({ workspace: folder.path }).run('id -u; id -G; touch made ~/kept; ls ~');
      expect(result.stdout.text.split('\n').slice(0, 2)).toEqual([`${ordinaryUid}`, `${ordinaryUid}`]);
      expect(result.exitCode).toBe(0);
    } finally {
      folder.remove();
    }
  });
});

describe('what it is', () => {
  it('[A33] a call that is not rewritten reads any file of the user: the hole is there, and is told', async () => {
    const world = open();
    mkdirSync(join(world.base, 'outside'));
    const secret = join('/var/tmp', `handrail-canary-${process.pid}`);
    writeFileSync(secret, 'canary-7f3a');
    try {
      // By its path it does not exist; by openat2 it is read.
      const result = await world.run(`cat ${secret}; ${openBehindItsBack(secret)}`);
      expect(result.stderr.text).toContain('No such file');
      expect(result.stdout.text).toBe('canary-7f3a');
      expect(result.rung).toBe('proot');
      expect(result.notes.join()).toContain('compatibility, not isolation');
    } finally {
      rmSync(secret);
    }
  });

  it('[A33] doctor and the list of tools say it too', async () => {
    const report = await open().sandbox.report();
    expect(report).toMatchObject({ rung: 'proot' });
    expect(report.warnings[0]).toMatch(/^proot is compatibility, not isolation/);
    expect(rungText('proot')).toContain('compatibility, not isolation');
    const facts = { os: 'Linux', distribution: 'Debian', shell: 'bash', rung: 'proot' } as const;
    expect(environmentText(facts)).toContain('compatibility, not isolation');
  });

  it('[A33] a command is not run on the strength of a yes that was given for a sandbox', async () => {
    const world = open();
    const granted = { kind: 'command', command: 'true', cwd: world.workspace, isDangerous: false, isSandboxed: true, heads: [], findings: [] } as const; // prettier-ignore
    const conversation = { id: 'conversation', workspace: world.workspace, isThrowaway: true };
    const shell = world.owner.forCall({
      callId: 'call',
      conversation,
      granted: [granted],
      signal: new AbortController().signal,
    });
    await expect(shell.run({ command: 'true' })).rejects.toMatchObject({ code: 'denied' });
  });

  it('[A33] variables that make another program run are refused as on the host', async () => {
    await expect(open().run('true', { env: { LD_PRELOAD: '/tmp/x.so' } })).rejects.toMatchObject({ code: 'denied' });
  });

  it('a proot that is missing is answered with what installs it', async () => {
    const world = open({ sandbox: { findProot: () => findProot(['/nowhere']) } });
    await expect(world.run('true')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('proot is not installed'),
    });
  });
});
