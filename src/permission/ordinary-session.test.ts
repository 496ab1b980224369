/** How many questions an ordinary day costs in the sandbox. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { developerSession } from '../../test/fixtures/developer-session.ts';
import type { ResolvedCommand } from '../contract/access.ts';
import type { Grant } from '../contract/permission.ts';
import type { ShellState } from '../contract/shell-state.ts';
import { decide, type DecisionWithScopes } from './decide.ts';
import { createPolicy } from './policy.ts';
import { createAccessResolver } from './resolve-access.ts';

type Given = {
  readonly isSandboxed?: boolean;
  readonly state?: Partial<ShellState>;
  readonly granted?: readonly string[];
  readonly allow?: readonly string[];
};

const grantOf = (pattern: string): Grant => ({
  id: pattern,
  tool: 'execute_shell_command',
  pattern,
  scope: 'conversation',
  conversationId: 'conversation',
  origin: 'terminal',
  createdAt: '2026-01-31T12:00:00.000Z',
});

function createDecider() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-session-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [workspace, home, shellRoot] = ['workspace', 'home', 'shell'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [join(workspace, 'src'), home, join(shellRoot, 'tmp')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(workspace, 'package.json'), '{}');
  const decideOn = async (command: string, given: Given = {}): Promise<DecisionWithScopes> => {
    const { state } = given;
    const resolve = createAccessResolver({
      resolvePath: () => Promise.reject(new Error('no paths here')),
      isSandboxed: () => given.isSandboxed !== false,
      homePath: '/home/handrail',
      homeFolder: home,
      isAllowedHost: () => false,
      listedCommands: [],
      typedState: () => Promise.reject(new Error('no terminals here')),
      shellState: () =>
        Promise.resolve(
          state === undefined
            ? undefined
            : { cwd: undefined, variables: [], functions: [], aliases: [], traps: [], root: shellRoot, ...state },
        ),
    });
    const access = await resolve(
      { kind: 'command', command, isDangerous: false },
      { id: 'conversation', workspace, isThrowaway: false },
    );
    return decide({
      names: ['execute_shell_command', 'bash'],
      closedGate: undefined,
      accesses: [access as ResolvedCommand],
      policy: createPolicy({
        tools: { allowed: [], disallowed: [] },
        permissions: { allow: given.allow ?? [], ask: [], deny: [] },
      }),
      granted: new Map((given.granted ?? []).map((pattern) => [pattern, grantOf(pattern)])),
    });
  };
  return { decideOn, workspace, home, shellRoot };
}

describe('an ordinary session', () => {
  it('[E17] [A12] a hundred commands of an ordinary day ask at most twice in the sandbox', async () => {
    const { decideOn } = createDecider();
    const asked: string[] = [];
    for (const command of developerSession) {
      const { verdict, reason } = await decideOn(command, { state: {} });
      if (verdict !== 'allow') asked.push(`${command}: ${reason}`);
    }
    expect(developerSession.length).toBeGreaterThanOrEqual(100);
    expect(asked).toEqual([]);
  });
});

describe('what mktemp makes', () => {
  it.each([
    'tmp=$(mktemp -d); rm -rf "$tmp"',
    'tmp=$(mktemp -d) && cd "$tmp" && ls; cd -; rm -rf "$tmp"',
    'tmp=`mktemp`; rm -f $tmp',
    'out="$(mktemp -d /tmp/x.XXXXXX)"; rm -r "${out}"',
    't=$(mktemp -t name.XXXX); rm "$t"',
  ])('[E17] may be removed without a question: %s', async (command) => {
    const { decideOn } = createDecider();
    expect((await decideOn(command)).verdict).toBe('allow');
  });

  it.each([
    'tmp=$(mktemp -d); rm -rf "$tmp"/*',
    'tmp=$(mktemp -d); rm -rf "$tmp/../x"',
    'tmp=$(mktemp -d); cd "$tmp"; rm -rf *',
    'tmp=$(mktemp -d); tmp=src; rm -rf "$tmp"',
    'tmp=$(mktemp -d -p .); rm -rf "$tmp"',
    'tmp=$(mktemp -d ./x.XXXX); rm -rf "$tmp"',
    'tmp=$(mktemp -d --tmpdir=src); rm -rf "$tmp"',
    'TMPDIR=$PWD; tmp=$(mktemp -d); rm -rf "$tmp"',
    'mktemp() { echo src; }; tmp=$(mktemp -d); rm -rf "$tmp"',
    'tmp=${x:-$(mktemp -d)}; rm -rf "$tmp"',
    'tmp=$(mktemp -d; echo src); rm -rf "$tmp"',
    'tmp=$(mktemp -d)/../src; rm -rf "$tmp"',
    'read tmp < f; tmp=$(mktemp -d); rm -rf "$tmp"',
    '[ -d x ] && tmp=$(mktemp -d); rm -rf "$tmp"',
    'tmp=$(mktemp -u); rm -rf "$tmp"',
  ])('[A19] asks where it may be something else: %s', async (command) => {
    const { decideOn } = createDecider();
    expect((await decideOn(command)).verdict).toBe('ask');
  });

  it.each([{ variables: ['TMPDIR'] }, { functions: ['mktemp'] }, { aliases: ['mktemp'] }, { variables: ['PATH'] }])(
    '[A15] asks where an earlier command has changed what mktemp means: %j',
    async (state) => {
      const { decideOn } = createDecider();
      expect((await decideOn('tmp=$(mktemp -d); rm -rf "$tmp"', { state })).verdict).toBe('ask');
    },
  );

  it('[E17] twin: outside a sandbox it asks', async () => {
    const { decideOn } = createDecider();
    expect((await decideOn('tmp=$(mktemp -d); rm -rf "$tmp"', { isSandboxed: false })).verdict).toBe('ask');
  });
});

describe('a changed shell', () => {
  const granted = ['git commit', 'remove files'];

  it('[A15] a grant holds while the shell is as it was', async () => {
    const { decideOn } = createDecider();
    expect((await decideOn('git commit -m x', { granted, state: {} })).verdict).toBe('allow');
    expect(
      (await decideOn('git commit -m x', { granted, state: { variables: ['FOO', 'name'], functions: ['helper'] } }))
        .verdict,
    ).toBe('allow');
  });

  it.each([
    [{ functions: ['git'] }, 'function git'],
    [{ functions: ['command_not_found_handle'] }, 'function command_not_found_handle'],
    [{ traps: ['DEBUG'] }, 'trap on DEBUG'],
    [{ traps: ['ERR'] }, 'trap on ERR'],
    [{ traps: ['RETURN'] }, 'trap on RETURN'],
    [{ traps: ['EXIT'] }, 'trap on EXIT'],
    [{ variables: ['PROMPT_COMMAND'] }, 'PROMPT_COMMAND'],
    [{ aliases: ['git'] }, 'alias git'],
    [{ variables: ['PATH'] }, 'PATH'],
    [{ variables: ['LD_PRELOAD'] }, 'LD_PRELOAD'],
    [{ variables: ['BASH_ENV'] }, 'BASH_ENV'],
    [{ variables: ['GIT_SSH_COMMAND'] }, 'GIT_SSH_COMMAND'],
    [{ variables: ['PYTHONSTARTUP'] }, 'PYTHONSTARTUP'],
    [{ variables: ['NODE_OPTIONS'] }, 'NODE_OPTIONS'],
  ])('[A15] a grant does not cover a command after %j, and the reason names it', async (state, named) => {
    const { decideOn } = createDecider();
    const decision = await decideOn('git commit -m x', { granted, state });
    expect(decision).toMatchObject({ verdict: 'ask', scopes: ['once'] });
    expect(decision.reason).toContain(named);
  });

  it('[A15] twin: a trap that waits for a signal changes nothing, and a shell that tells nothing is believed', async () => {
    const { decideOn } = createDecider();
    expect((await decideOn('git commit -m x', { granted, state: { traps: ['SIGUSR1', 'SIGINT'] } })).verdict).toBe(
      'allow',
    );
    expect((await decideOn('git commit -m x', { granted })).verdict).toBe('allow');
  });

  it.each([
    'export PATH=$PWD/bin:$PATH; git commit -m x',
    'PATH=. git commit -m x',
    'alias git=./evil; git commit -m x',
    'git() { ./evil; }; git commit -m x',
    'declare -x GIT_SSH_COMMAND=./evil; git commit -m x',
    'export LD_PRELOAD=./x.so && git commit -m x',
  ])('[A15] nor one whose own text changes what it means: %s', async (command) => {
    const { decideOn } = createDecider();
    expect((await decideOn(command, { granted })).verdict).toBe('ask');
  });

  it('[A15] an allow rule of the settings holds as little', async () => {
    const { decideOn } = createDecider();
    const given = { isSandboxed: false, allow: ['bash(git status)'] };
    expect((await decideOn('git status', { ...given, state: {} })).verdict).toBe('allow');
    expect((await decideOn('git status', { ...given, state: { functions: ['git'] } })).verdict).toBe('ask');
  });
});

describe('places and links', () => {
  it('[A19] a relative path in a shell that stands elsewhere may be one of the workspace after all', async () => {
    const { decideOn } = createDecider();
    expect((await decideOn('rm -rf build', { state: { cwd: '/tmp/x' } })).verdict).toBe('ask');
    expect((await decideOn('rm -rf build', { state: {} })).verdict).toBe('ask');
    expect((await decideOn('rm -rf /tmp/x/build', { state: {} })).verdict).toBe('allow');
  });

  it('[A19] [A20] a link that an earlier command left in /tmp or the private home is followed', async () => {
    const { decideOn, workspace, home, shellRoot } = createDecider();
    symlinkSync(workspace, join(shellRoot, 'tmp/l'));
    symlinkSync(workspace, join(home, 'l'));
    expect((await decideOn('rm -rf ~/l/src')).verdict).toBe('ask');
    mkdirSync(join(shellRoot, 'home/handrail'), { recursive: true });
    symlinkSync(workspace, join(shellRoot, 'home/handrail/l'));
    expect((await decideOn('rm -rf /tmp/l/src', { state: {} })).verdict).toBe('ask');
    expect((await decideOn('rm -rf ~/l/src', { state: {} })).verdict).toBe('ask');
    expect((await decideOn('rm -rf /tmp/m/src ~/m', { state: {} })).verdict).toBe('allow');
    expect((await decideOn('ln -s $PWD /tmp/k; rm -rf /tmp/k/', { state: {} })).verdict).toBe('ask');
  });

  it.each([
    'git checkout src',
    'git checkout .',
    'git checkout -- src',
    'git checkout HEAD src',
    'git checkout package.json',
    'git restore src',
    'git restore .',
    'git clean -fd',
    'git clean -fdx src',
    'git switch --discard-changes main',
    'git switch -f main',
    'git checkout -f main',
    'git checkout HEAD~1 -- src',
  ])('[A19] throwing changes of the work away asks: %s', async (command) => {
    const { decideOn } = createDecider();
    expect((await decideOn(command)).verdict).toBe('ask');
  });

  it.each(['git checkout main', 'git checkout -b src', 'git switch main', 'git restore --staged src', 'git clean -nd'])(
    '[E17] moving between branches does not: %s',
    async (command) => {
      const { decideOn } = createDecider();
      expect((await decideOn(command)).verdict).toBe('allow');
    },
  );
});

describe('outside a sandbox', () => {
  const host = { isSandboxed: false };

  it('[A18] what one allowed command wrote is not run by another without a question', async () => {
    const { decideOn } = createDecider();
    const granted = ['run echo', 'run cat', 'run base64', 'run bash', 'run ./run.sh', 'run sh', 'run python3'];
    expect((await decideOn('echo hello', { ...host, granted })).verdict).toBe('allow');
    for (const command of [
      'echo x > run.sh',
      'cat f | base64 -d | bash',
      './run.sh',
      'sh run.sh',
      'python3 run.py',
      'bash -c "$(cat f)"',
    ]) {
      expect(await decideOn(command, { ...host, granted })).toMatchObject({ verdict: 'ask' });
    }
  });

  it('[A18] an answer for such a command holds once', async () => {
    const { decideOn } = createDecider();
    expect((await decideOn('./run.sh', host)).scopes).toEqual(['once']);
    expect((await decideOn('ls -la', host)).scopes).toEqual(['once', 'conversation']);
  });
});
