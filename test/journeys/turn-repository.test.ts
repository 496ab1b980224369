/** On real input: a model mends a real bug in a real repository, and the test that showed it passes afterwards. */
import { describe, expect, test } from 'vitest';
import { brokenProject as project, git, makeRepository, runTests } from '../kit/broken-project.ts';
import { dialectNames } from '../kit/dialect-client.ts';
import type { Turn, WireDialectName } from '../kit/model-server.ts';
import { createTurnJourney, eventsOf, expectAnswer, sentText, toolEnds } from '../kit/turn-journey.ts';
import type { TurnJourney } from '../kit/turn-journey.ts';

const shell = (command: string) => ({ name: 'execute_shell_command', input: { command } });
const change = { path: project.sourceFile, oldString: project.wrong, newString: project.right };
const message = 'Count the last, short page too';

const script: readonly Turn[] = [
  {
    text: 'Let me look.',
    calls: [{ name: 'glob', input: { pattern: '*' } }, shell('git status --short; git log --oneline')],
  },
  { calls: [{ name: 'read_file', input: { path: project.sourceFile } }, shell(project.testCommand)] },
  { text: 'It rounds down.', calls: [{ name: 'edit_file', input: change }] },
  { calls: [shell(project.testCommand)] },
  { calls: [shell(`git add -A && git commit -m '${message}'`)] },
  { text: 'Mended.' },
];

async function brokenRepository(dialect: WireDialectName): Promise<TurnJourney> {
  const journey = await createTurnJourney(dialect, script);
  makeRepository(journey, project);
  const before = runTests(journey, project);
  expect([before.status, before.output]).toEqual([1, expect.stringMatching(/FAIL: /u)]);
  return journey;
}

/** Holds after every run, whatever became of the commit. */
function expectMended(journey: TurnJourney, end: Awaited<ReturnType<TurnJourney['ask']>>): void {
  expectAnswer(journey, end, 'Mended.');
  const runs = toolEnds(end).filter(({ outcome }) => outcome.data?.['command'] === project.testCommand);
  expect(runs.map(({ outcome }) => outcome.data?.['exit_code'])).toEqual([1, 0]);
  expect(runs[0]?.outcome.text).toMatch(project.failing);
  expect(runs[1]?.outcome.text).toMatch(project.passing);
  expect(sentText(journey, 2)).toContain(JSON.stringify(project.wrong).slice(1, -1));
  expect(runTests(journey, project)).toEqual({ status: 0, output: expect.stringMatching(project.passing) });
}

const subjects = (journey: TurnJourney) => git(journey, 'log', '--format=%s').trim().split('\n');

describe.each(dialectNames)('a failing test, with %s,', (dialect) => {
  test('[E17] is mended and committed where everything is approved', async () => {
    const journey = await brokenRepository(dialect);
    const end = await journey.ask(['--approve', 'all', 'Mend the failing test and commit it']);
    expectMended(journey, end);
    expect(subjects(journey)).toEqual([message, 'Count pages']);
    expect(git(journey, 'status', '--porcelain')).toBe('');
    expect(git(journey, 'show', '--format=%an', '--stat', 'HEAD')).toMatch(
      /^Tester\n[\s\S]*1 file changed, 1 insertion/u,
    );
    expect(git(journey, 'fsck', '--strict')).toBe('');
  });
});

test('[E17] a failing test is mended but not committed where nobody approves', async () => {
  const journey = await brokenRepository('anthropic');
  const end = await journey.ask(['--approve', 'none', 'Mend the failing test and commit it']);
  expectMended(journey, end);
  const denied = toolEnds(end).filter(({ outcome }) => !outcome.ok);
  expect(denied.map(({ decision, outcome }) => [decision.verdict, outcome.error?.code])).toEqual([['deny', 'denied']]);
  expect(denied[0]?.outcome.text).toMatch(/"git commit [^"]*" changes the git history.*nobody is here/u);
  expect(sentText(journey, 5)).toContain('Error (denied): ');
  expect(subjects(journey)).toEqual(['Count pages']);
  expect(git(journey, 'status', '--porcelain')).toBe(` M ${project.sourceFile}\n`);
  expect(eventsOf(end, 'permission-ask')).toEqual([]);
});
