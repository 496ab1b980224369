/** Secrets planted wherever one may come in: none lies on disk afterwards, and none is lost for the model or the user's files. */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAll } from '../kit/read-all.ts';
import type { Turn } from '../kit/model-server.ts';
import type { ProgramWorld, RunEnd } from '../kit/program.ts';
import { sampleKeys, samplePrivateKey, samplePrivateKeyLines } from '../kit/sample-secrets.ts';
import { callTool, dataOf } from '../kit/tool-call.ts';
import { createTurnJourney, expectAccepted, expectAnswer, sentText, toolEnds } from '../kit/turn-journey.ts';

/** The last characters make each its own: sample keys of two makers could share some. */
const canary = {
  environment: 'word-of-the-environment-17',
  store: 'word of the store, "quoted" & 18',
  dotEnv: `${sampleKeys['openai']}Aa01`,
  printed: `${sampleKeys['github']}`,
  argument: `${sampleKeys['anthropic']}Cc03`,
  provider: `${sampleKeys['groq']}Dd04`,
  answer: `${sampleKeys['slack']}Ee05`,
  job: `${sampleKeys['stripe']}Ff06`,
  terminal: `${sampleKeys['npm']}`,
  artifact: `${sampleKeys['gitlab']}Hh08`,
  address: 'address-password-19',
  exported: `${sampleKeys['huggingFace']}Jj10`,
  question: `${sampleKeys['pypi']}Kk11`,
  killed: `${sampleKeys['google']}`,
};

const conversation = ['--conversation', 'canaries'];
const shell = (command: string) => ({ name: 'execute_shell_command', input: { command } });

/** What the user keeps (workspaces, homes, what was thrown away) and the two places that are for secrets. */
const own = ['secrets.json', 'vault', 'home', 'workspaces', 'trash', 'trusted-files'];

function planted(world: ProgramWorld, folders: readonly string[]): readonly string[] {
  const found: string[] = [];
  const wanted = [
    ...Object.entries(canary),
    ...samplePrivateKeyLines.map((line, at) => [`line ${at}`, line.slice(0, 30)] as const),
  ];
  for (const folder of folders) {
    for (const { name, bytes } of readAll(folder, (each) => folder === world.stateFolder && own.includes(each))) {
      for (const [which, value] of wanted) if (bytes.includes(value)) found.push(`${which} in ${name}`);
    }
  }
  return found;
}

function expectUnseen(end: Pick<RunEnd, 'stdout' | 'stderr'>): void {
  for (const [which, value] of Object.entries(canary)) {
    expect(end.stdout.includes(value) || end.stderr.includes(value), which).toBe(false);
  }
}

describe('[A49] secrets', () => {
  // Some twenty programs, one after the other.
  test('that came in by any way lie nowhere but in the vault and the store', { timeout: 120_000 }, async () => {
    const temporary = 'temporary';
    const turns: Turn[] = [
      {
        reasoning: `I have seen ${canary.answer}.`,
        text: `The key is ${canary.answer}.`,
        chunkChars: 7,
        calls: [
          { name: 'read_file', input: { path: '.env' } },
          { name: 'grep', input: { pattern: 'KEY' } },
          shell(`curl -s -H "Authorization: Bearer ${canary.argument}" http://127.0.0.1:1 || true`),
          shell(`export GH=${canary.printed}; printenv; echo '${canary.store}' | base64; echo ${canary.environment}`),
          shell(`for n in $(seq 1 4000); do echo "line $n of the log"; done; echo ${canary.artifact}; seq 1 20000`),
          { name: 'edit_file', input: { path: 'key.pem', oldString: 'none yet', newString: samplePrivateKey } },
          {
            name: 'execute_shell_command',
            input: {
              command: `echo first; printf %s ${canary.job.slice(0, 9)}; sleep 0.2; echo ${canary.job.slice(9)}`,
              background: true,
            },
          },
          { name: 'terminal', input: { action: 'run', command: `echo ${canary.terminal}` } },
        ],
      },
      { text: `Use postgres://app:${canary.address}@db/app or ${canary.store}.` },
      { error: 'bad_request', message: `This key is of no use here: ${canary.provider}` },
    ];
    const journey = await createTurnJourney('anthropic', turns);
    mkdirSync(path.join(journey.root, temporary));
    const env = { DEPLOY_TOKEN: canary.environment, TMPDIR: path.join(journey.root, temporary) };
    await journey.run(['secrets', 'set', 'STORE_WORD'], { stdin: canary.store, env });
    journey.write('.env', `SERVICE_KEY=${canary.dotEnv}\n`);
    journey.write('key.pem', 'none yet\n');
    const flags = [...conversation, '--approve', 'all'];
    await dataOf(journey, 'bash', { command: `export MY_TOKEN=${canary.exported}` }, { flags: conversation, env });

    const first = await journey.ask([...flags, `My token for uploads is ${canary.question} as you know`], { env });
    expect(toolEnds(first).map(({ outcome }) => outcome.error?.message)).toEqual(turns[0]?.calls?.map(() => undefined));
    expectUnseen(first);
    // The model has seen it all.
    const seen = sentText(journey, 1);
    for (const each of [
      canary.question,
      canary.dotEnv,
      canary.exported,
      canary.printed,
      canary.environment,
      canary.terminal,
      canary.answer,
    ]) {
      expect(seen).toContain(each);
    }
    expect(journey.read('key.pem')).toBe(`${samplePrivateKey}\n`);

    // The provider's complaint.
    const refused = await journey.ask([...flags, 'again'], { env });
    expect(refused.code).toBe(1);
    expectUnseen(refused);
    // Killed in the middle.
    const live = journey.start(
      ['run', 'bash', JSON.stringify({ command: `echo ${canary.killed}; sleep 600` }), '--json', ...flags],
      { env },
    );
    await expect.poll(() => readdirSync(journey.stateFolder).length, { timeout: 10_000 }).toBeGreaterThan(3);
    await expect
      .poll(async () => (await journey.run(['log', '--json', '--limit', '1'], { env })).stdout, { timeout: 20_000 })
      .toContain('sleep 600');
    live.kill('SIGKILL');
    await live.ended;

    // The next shell has the variable still, and takes away what the killed one has left.
    const { stdout } = await dataOf(journey, 'bash', { command: 'echo "[$MY_TOKEN]"' }, { flags: conversation });
    expect(stdout).toBe(`[${canary.exported}]\n`);
    await expect.poll(async () => jobLog(journey, env), { timeout: 10_000 }).toMatch(/first[^]*\[secret:/);
    expect(planted(journey, [journey.stateFolder, path.join(journey.root, temporary)])).toEqual([]);
    // The long result is kept, without its secret.
    const kept = [...readAll(path.join(journey.stateFolder, 'artifacts'))].map(({ bytes }) => bytes.toString());
    expect(kept).toEqual([expect.stringMatching(/line 4000 of the log\n\[secret:[0-9a-f]{12}\]\n1\n/)]);
    for (const args of [
      ['log', '--json'],
      ['log'],
      ['conversations', '--json'],
      ['jobs', '--json'],
      ['secrets', 'list'],
      ['doctor'],
    ]) {
      expectUnseen(await journey.run(args, { env }));
    }
    // Twin: the walk finds what is there.
    expect(readFileSync(path.join(journey.stateFolder, 'vault/values.jsonl'), 'utf8')).toContain(canary.dotEnv);
    const inVault = planted(journey, [path.join(journey.stateFolder, 'vault')]).map((each) => each.split(' in ')[0]);
    // What a provider says of a key is cut out of its message before.
    const redacted = Object.keys(canary).filter((name) => name !== 'store' && name !== 'provider');
    expect(inVault).toEqual(expect.arrayContaining(redacted));
    expect(inVault).not.toContain('store');
    expect(statSync(path.join(journey.stateFolder, 'vault')).mode & 0o077).toBe(0);

    await journey.run(['jobs', 'stop-all']);
    await journey.run(['conversations', 'remove', 'canaries']);
    await journey.untilQuiet();
  });

  test('are in the context of the next process as they were, and in no file are they replaced', async () => {
    const key = canary.dotEnv;
    const turns: Turn[] = [
      { calls: [{ name: 'read_file', input: { path: 'settings.ini' } }] },
      { text: 'Read.' },
      {
        calls: [
          {
            name: 'edit_file',
            input: { path: 'settings.ini', oldString: `key = ${key}\nport = 1`, newString: `key = ${key}\nport = 2` },
          },
        ],
      },
      { text: 'Edited.' },
      { text: 'Nothing.' },
    ];
    const journey = await createTurnJourney('openai-chat', turns);
    journey.write('settings.ini', `key = ${key}\nport = 1\n`);
    expectAnswer(journey, await journey.ask([...conversation, 'read it']), 'Read.');
    expectAnswer(journey, await journey.ask([...conversation, 'set port to 2']), 'Edited.');
    expect(journey.read('settings.ini')).toBe(`key = ${key}\nport = 2\n`);
    expectAccepted(journey);
    // What the first process has sent is how the second one begins.
    const sent = (at: number): readonly unknown[] =>
      journey.server.requests[at]?.body['messages'] as readonly unknown[];
    const before = sent(1);
    expect(sent(2).slice(0, before.length)).toEqual(before);
    expect(JSON.stringify(sent(2))).toContain(key);
    // A model that has read a placeholder somewhere may write it.
    const [mark = ''] = /\[secret:[^\]]*\]/.exec(JSON.stringify(await journey.eventsKept('canaries'))) ?? [];
    expect(mark).toMatch(/^\[secret:[0-9a-f]{12}\]$/);
    const input = { path: 'copy.ini', content: `key = ${mark}\n` };
    expect((await callTool(journey, 'write_file', input, { flags: conversation })).outcome.ok).toBe(true);
    expect(journey.read('copy.ini')).toBe(`key = ${key}\n`);
    const lost = { path: 'lost.ini', content: 'key = [secret:SOME_KEY:0123456789ab]\n' };
    const { outcome } = await callTool(journey, 'write_file', lost, { flags: conversation });
    expect(outcome.error).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('[secret:SOME_KEY:0123456789ab]'),
    });
    expect(readdirSync(journey.workspace)).not.toContain('lost.ini');
  });

  test('set by handrail secrets are shown by none of its commands, and what is run prints them as they are', async () => {
    const journey = await createTurnJourney('gemini', []);
    const set = await journey.run(['secrets', 'set', 'MY_PASSWORD'], { stdin: `${canary.address}\n` });
    const list = await journey.run(['secrets', 'list']);
    expect(list.stdout).toBe('MY_PASSWORD\n');
    for (const end of [set, list, await journey.run(['secrets', 'remove', 'MY_PASSWORD'])]) expectUnseen(end);
    const { stdout } = await dataOf(journey, 'bash', { command: `echo ${canary.dotEnv}` });
    expect(stdout).toBe(`${canary.dotEnv}\n`);
  });
});

async function jobLog(world: ProgramWorld, env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await world.run(['jobs', 'list', '--json'], { env });
  const { jobs } = JSON.parse(stdout) as { readonly jobs: readonly { readonly id: string }[] };
  return (await world.run(['jobs', 'log', jobs[0]?.id ?? ''], { env })).stdout;
}
