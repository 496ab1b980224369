/** The whole of permission as a table: what is touched, under which rules, grants, gates and circumstances, and what comes of it. */
import { describe, expect, it } from 'vitest';
import type { CommandFinding, PathMode, PathZone, ResolvedAccess } from '../contract/access.ts';
import type { ApproveMode, Asker, Grant } from '../contract/permission.ts';
import { type Attendant, type CallToApprove, createApprovals } from './approvals.ts';
import { decide, type DecisionFacts, decisionOrder, type DecisionWithScopes } from './decide.ts';
import { closedGate } from './gate.ts';
import { patternsFor } from './grant-pattern.ts';
import { createPolicy } from './policy.ts';

/**
 * A letter is a verdict with its reason. Allowed: `a` by itself, `r` by a rule, `g` by a grant. Asked: `q` by itself, `u` again
 * because text of others came in, `k` by a rule, `c` because the shell was changed. Denied: `h` for good, `d` by a rule, `x` since
 * the tool is off. Columns, first without and then with text of others in the conversation:
 *   P nothing said   R allow rule for the tool   N allow rule for exactly this   G grant (with text of others: older than it)
 *   L grant that is newer than it   |   K ask rule   B ask rule and grant   D deny rule   X the tool is off
 */
const table = `
                      PRNG PRNGL KBDX
  read workspace      aaaa aaaaa kkdx
  write workspace     aaaa aaaaa kkdx
  delete workspace    qqqg qqqgg kkdx
  write trusted       qqqg qqqgg kkdx
  delete trusted      qqqg qqqgg kkdx
  read home           aaaa aaaaa kkdx
  write home          aaaa aaaaa kkdx
  delete home         aaaa aaaaa kkdx
  read artifacts      aaaa aaaaa kkdx
  write artifacts     hhhh hhhhh hhhh
  delete artifacts    hhhh hhhhh hhhh
  read outside        qrrg qrrgg kkdx
  write outside       qrrg qrrgg kkdx
  delete outside      qqqg qqqgg kkdx
  read state          hhhh hhhhh hhhh
  write state         hhhh hhhhh hhhh
  read credentials    hhhh hhhhh hhhh
  write credentials   hhhh hhhhh hhhh
  delete credentials  hhhh hhhhh hhhh
  run plain           aaaa aaaaa kkdx
  run dangerous       qqqg qqqgg kkdx
  run removing        qqqg qqqgg kkdx
  run removing-inside aaaa aaaaa kkdx
  run committing      qqqg qqqgg kkdx
  run killing         qqqg qqqgg kkdx
  run unreadable      qrqg qrqgg kkdx
  run program         aaaa aaaaa kkdx
  run unlisted        hhhh hhhhh hhhh
  host plain          qrrg qurug kkdx
  host dangerous      qqqg qqqug kkdx
  host removing       qqqg qqqug kkdx
  host changed        cccc ccccc kkdx
  host program        qrqg ququg kkdx
  host unlisted       hhhh hhhhh hhhh
  reach allowed       aaaa aaaaa kkdx
  reach new           qrrg qurug kkdx
  send message        qqqg qqqug kkdx
  call mcp            qrrg qurug kkdx
  keep memory         aaaa aaaaa kkdx
  keep schedule       qrrg qurug kkdx
  keep user-tool      qrrg qurug kkdx
  keep profile        qrrg qurug kkdx
  start app           qrrg qrrgg kkdx
  touch nothing       aaaa aaaaa kkdx
`;

const others = '2026-01-31T12:00:00.000Z';
const [before, after] = ['2026-01-31T11:00:00.000Z', '2026-01-31T13:00:00.000Z'];

type Row = { readonly access: string; readonly column: string; readonly letter: string };

const rows: readonly Row[] = table
  .trim()
  .split('\n')
  .slice(1)
  .flatMap((line) => {
    const [verb = '', what = '', ...cells] = line.trim().split(/\s+/);
    const columns = ['P', 'R', 'N', 'G', 'uP', 'uR', 'uN', 'uG', 'uL', 'K', 'B', 'D', 'X'];
    return [...cells.join('')].map((letter, at) => ({ access: `${verb} ${what}`, column: columns[at] ?? '', letter }));
  });

const found = (kind: CommandFinding['kind'], text: string, insideSandboxOnly = false): CommandFinding => ({
  kind,
  text,
  insideSandboxOnly,
});
const commands: Readonly<Record<string, Partial<Extract<ResolvedAccess, { kind: 'command' }>>>> = {
  plain: { command: 'ls', heads: ['ls'] },
  dangerous: { command: 'deploy', heads: ['deploy'], isDangerous: true },
  removing: { command: 'rm a', heads: ['rm'], findings: [found('removes', 'rm a')] },
  'removing-inside': { command: 'rm ~/a', heads: ['rm'], findings: [found('removes', 'rm ~/a', true)] },
  committing: { command: 'git commit', heads: ['git'], findings: [found('git', 'git commit')] },
  killing: { command: 'kill 1', heads: ['kill'], findings: [found('kills', 'kill 1')] },
  unreadable: { command: '$X a', heads: ['?'], findings: [found('unreadable', '$X a')] },
  program: { command: 'print(1)', heads: ['?'], language: 'python' },
  unlisted: { command: 'curl x', heads: ['curl'], notListed: '"curl x"' },
  changed: { command: 'ls', heads: ['ls'], changedShell: ["the shell's alias ls"] },
};

/** The access, and the argument of a rule that names exactly it. */
function accessOf(text: string): { readonly access: ResolvedAccess; readonly named: string } {
  const [verb = '', what = ''] = text.split(' ');
  const path = `/somewhere/${what}/file`;
  const host = `${what}.example`;
  const common = {
    cwd: '/ws',
    isDangerous: false,
    findings: [] as CommandFinding[],
    heads: [] as string[],
    command: '',
  };
  switch (verb) {
    case 'read':
    case 'write':
    case 'delete': {
      const place = { mode: verb satisfies PathMode, zone: what as PathZone };
      return { access: { kind: 'path', path, realPath: path, ...place }, named: path };
    }
    case 'run':
    case 'host': {
      const access = { kind: 'command', ...common, isSandboxed: verb === 'run', ...commands[what] } as const;
      return { access, named: access.command };
    }
    case 'reach': {
      const isAllowedHost = what === 'allowed';
      return { access: { kind: 'url', url: `https://${host}/`, method: 'GET', host, isAllowedHost }, named: host };
    }
    case 'send':
      return { access: { kind: 'message', to: 'a@b.example' }, named: 'a@b.example' };
    case 'call':
      return { access: { kind: 'mcp', server: 's', tool: 't' }, named: 's/t' };
    case 'keep':
      return { access: { kind: 'persist', what: what as 'memory' }, named: what };
    case 'start':
      return { access: { kind: 'app', name: 'vlc' }, named: 'vlc' };
    default:
      return { access: { kind: 'none' }, named: 'none' };
  }
}

const tool = { name: 'some_tool', aliases: ['its_alias'], group: 'files', enabledByDefault: true, platforms: [] };

function factsOf({ access: text, column }: Row): DecisionFacts {
  const { access, named } = accessOf(text);
  const [circumstance, said] = column.startsWith('u') ? ['u', column[1]] : ['', column];
  const permissions = {
    // By its alias, since both must mean the tool.
    deny: said === 'D' || said === 'X' ? ['its_alias'] : [],
    ask: 'KBDX'.includes(said ?? '') ? ['its_*'] : [],
    // Beside the others too: what comes first must win.
    allow: said === 'N' ? [`some_tool(${named})`] : said === 'R' || said === 'K' || said === 'D' ? ['some_tool'] : [],
  };
  const policy = createPolicy({ tools: { allowed: [], disallowed: [] }, permissions });
  const isGranted = said === 'G' || said === 'L' || said === 'B' || said === 'D' || said === 'X';
  const grants = isGranted ? patternsFor(access).map((pattern) => grantOf(pattern, said === 'L' ? after : before)) : [];
  const settings = {
    features: { memory: true, scheduling: true, email: true, mcp: true, sandbox: true },
    toolEnabled: { some_tool: said !== 'X' },
    sandbox: { rung: 'namespaces' },
  } as unknown as Parameters<typeof closedGate>[1];
  return {
    names: [tool.name, ...tool.aliases],
    closedGate: closedGate(tool, settings, policy),
    accesses: [access],
    policy,
    granted: new Map(grants.map((grant) => [grant.pattern, grant])),
    untrustedSince: circumstance === 'u' ? others : undefined,
    workspace: '/ws',
  };
}

function grantOf(pattern: string, createdAt: string): Grant {
  const scope = { scope: 'conversation', conversationId: 'c' } as const;
  return { id: pattern, tool: tool.name, pattern, origin: 'terminal', createdAt, ...scope };
}

function letterOf({ verdict, reason }: DecisionWithScopes): string {
  if (verdict === 'allow')
    return reason.startsWith('the rule "allow')
      ? 'r'
      : reason.startsWith('you allowed it on 2026-01-31 at 1')
        ? 'g'
        : 'a';
  if (verdict === 'deny')
    return reason.startsWith('the rule "deny') ? 'd' : reason.includes('is not available') ? 'x' : 'h';
  if (reason.startsWith('the rule "ask')) return 'k';
  if (reason.includes('may make it something else')) return 'c';
  return reason.includes('since text of others came into this conversation') ? 'u' : 'q';
}

type Change = (facts: DecisionFacts) => DecisionFacts;

const wrongRows = (order = decisionOrder, change: Change = (facts) => facts): readonly Row[] =>
  rows.filter((row) => letterOf(decide(change(factsOf(row)), order)) !== row.letter);

describe('the table of decisions', () => {
  it('[L03] [E25] [A12] holds in all of its rows', () => {
    expect(rows.length).toBeGreaterThan(500);
    expect(wrongRows()).toEqual([]);
  });

  it.each([
    ['[A20] what nothing lifts', 0, 'h'],
    ['[L03] the gate', 1, 'x'],
    ['[L03] deny rules', 2, 'd'],
    ['[L03] ask rules', 3, 'k'],
  ])('twin: without %s exactly its rows come out differently', (_what, at, letter) => {
    const wrong = wrongRows(decisionOrder.filter((_, index) => index !== at));
    expect(wrong.length).toBeGreaterThan(20);
    expect(new Set(wrong.map((row) => row.letter))).toEqual(new Set([letter]));
    expect(wrong.length).toBe(rows.filter((row) => row.letter === letter).length);
  });

  it.each<[string, Change, string]>([
    ['[A50] the memory of text of others', (facts) => ({ ...facts, untrustedSince: undefined }), 'u'],
    ['grants', (facts) => ({ ...facts, granted: new Map() }), 'gu'],
    ['allow rules', (facts) => ({ ...facts, policy: { ...facts.policy, allow: [] } }), 'ru'],
  ])('twin: without %s only rows that need it come out differently', (_what, change, letters) => {
    const wrong = wrongRows(decisionOrder, change);
    expect(wrong.length).toBeGreaterThan(10);
    expect(wrong.filter((row) => !letters.includes(row.letter))).toEqual([]);
  });

  it('[L03] twin: in the opposite order questions would come before denials', () => {
    const wrong = wrongRows([...decisionOrder].reverse());
    expect(wrong.map((row) => row.letter)).toContain('h');
    expect(wrong.map((row) => row.letter)).toContain('d');
  });
});

/** Who is there, what they would say, and whether a person typed the call: what becomes of what is allowed, asked and denied. */
const attendances = `
  all    nobody  model   A A D
  all    no      model   A A D
  ask    yes     model   A A D
  ask    no      model   A D D
  ask    nobody  model   A D D
  none   yes     model   A D D
  none   nobody  model   A D D
  ask    nobody  typed   A A D
  none   nobody  typed   A A D
  ask    no      typed   A A D
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));

const kinds: Readonly<Record<string, number>> = { a: 0, r: 0, g: 0, q: 1, u: 1, k: 1, c: 1, h: 2, d: 2, x: 2 };
const call: CallToApprove = {
  callId: 'call',
  tool: tool.name,
  title: 'Some tool',
  summary: 'does something',
  input: '{}',
  conversation: { id: 'c', workspace: '/ws', isThrowaway: false },
  preview: undefined,
};

describe('what becomes of a decision', () => {
  it.each(attendances.map((row) => row as [string, string, string, ...string[]]))(
    '[E26] approve %s, %s to ask, by a %s: %s %s %s',
    async (approve, person, origin, ...expected) => {
      let asked = 0;
      const asker: Asker = {
        origin: 'test',
        ask: async () => ((asked += 1), person === 'yes' ? { verdict: 'allow', scope: 'once' } : { verdict: 'deny' }),
      };
      const attendant: Attendant = {
        approve: approve as ApproveMode,
        asker: person === 'nobody' ? undefined : asker,
        isTyped: origin === 'typed',
        signal: new AbortController().signal,
        onAsk: async () => {},
        onAnswer: async () => {},
      };
      const approvals = createApprovals({ list: async () => [], add: async () => {}, used: async () => {} });
      for (const row of rows) {
        const wanted = expected[kinds[row.letter] ?? 0] === 'A' ? 'allow' : 'deny';
        const { verdict } = await approvals.settle(decide(factsOf(row)), call, attendant);
        expect(verdict, `${row.access} ${row.column}`).toBe(wanted);
      }
      const mayAsk = approve === 'ask' && person !== 'nobody' && origin !== 'typed';
      expect(asked).toBe(mayAsk ? rows.filter((row) => kinds[row.letter] === 1).length : 0);
    },
  );
});

describe('what may be allowed for longer', () => {
  const scopes = (access: string, column = 'P') => decide(factsOf({ access, column, letter: '' })).scopes.join(' ');
  it.each([
    ['read outside', 'once conversation always'],
    ['write outside', 'once conversation'],
    ['delete outside', 'once conversation'],
    ['delete workspace', 'once conversation'],
    ['write trusted', 'once conversation'],
    ['run removing', 'once conversation'],
    ['run committing', 'once conversation'],
    ['run dangerous', 'once'],
    ['run unreadable', 'once conversation'],
    ['host plain', 'once conversation'],
    ['host changed', 'once'],
    ['reach new', 'once conversation always'],
    ['call mcp', 'once conversation always'],
    ['start app', 'once conversation always'],
    ['send message', 'once conversation'],
    ['keep schedule', 'once conversation'],
  ])('%s: %s', (access, expected) => {
    expect(scopes(access)).toBe(expected);
  });

  it('[A50] no host and no server for always once text of others is there', () => {
    expect(scopes('reach new', 'uP')).toBe('once conversation');
    expect(scopes('call mcp', 'uP')).toBe('once conversation');
    expect(scopes('read outside', 'uP')).toBe('once conversation always');
  });

  it('an ask rule asks each time', () => {
    expect(scopes('read outside', 'K')).toBe('once');
  });
});
