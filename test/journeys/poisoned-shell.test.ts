/** An allowance for a conversation, and a shell that was changed after it was given (CVE-2026-22708). */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Question } from '../../src/contract/permission.ts';
import { createHandrail } from '../../src/main.ts';

async function createConversation() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-poisoned-')));
  const [workspace, home, state] = ['workspace', 'home', 'state'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [workspace, home]) mkdirSync(folder);
  writeFileSync(join(workspace, 'f'), 'x');
  execFileSync('git', ['init', '-q', workspace]);
  const handrail = await createHandrail({
    workspace,
    environment: { PATH: process.env['PATH'], HOME: home, HANDRAIL_HOME: state },
  });
  onTestFinished(async () => {
    await handrail.close();
    rmSync(root, { recursive: true, force: true });
  });
  const questions: Question[] = [];
  return {
    questions,
    async run(command: string) {
      const outcome = await handrail.runTool({
        tool: 'bash',
        input: { command },
        conversationId: 'one',
        approve: 'ask',
        origin: 'library',
        asker: {
          origin: 'test',
          ask: async (question) => {
            questions.push(question);
            return { verdict: 'allow', scope: question.scopes.includes('conversation') ? 'conversation' : 'once' };
          },
        },
      });
      expect(outcome.ok, outcome.text).toBe(true);
      return outcome;
    },
  };
}

const commit = 'git -c user.name=N -c user.email=e@example.org commit -q --allow-empty -m x';

describe('after a shell was changed', () => {
  it.each([
    ['a function', 'git() { echo instead; }', 'function git', 'unset -f git'],
    ['PATH', 'export PATH="$PWD/bin:$PATH"', 'PATH', 'export PATH="${PATH#$PWD/bin:}"'],
  ])('[A15] an allowance for the conversation is void: %s', async (_what, poison, named, undo) => {
    const { questions, run } = await createConversation();
    await run(commit);
    await run(commit);
    expect(questions).toHaveLength(1);
    await run(poison);
    await run('ls');
    expect(questions).toHaveLength(1);
    await run(commit);
    expect(questions).toHaveLength(2);
    expect(questions[1]?.reason).toContain(named);
    expect(questions[1]?.scopes).toEqual(['once']);
    await run(undo);
    await run(commit);
    expect(questions).toHaveLength(2);
  });

  it('[A15] twin: a variable of the project changes nothing', async () => {
    const { questions, run } = await createConversation();
    await run(commit);
    await run('export MY_SETTING=1; helper() { echo; }');
    await run(commit);
    expect(questions).toHaveLength(1);
  });

  it("[A19] a link that an earlier command left in the shell's own /tmp is followed before the question", async () => {
    const { questions, run } = await createConversation();
    await run('mkdir -p d /tmp/own && ln -s "$PWD" /tmp/link');
    await run('rm -rf /tmp/own');
    expect(questions).toHaveLength(0);
    await run('rm -rf /tmp/link/d');
    expect(questions).toHaveLength(1);
  });
});
