/** One turn with tools, in each dialect: the real program, a scripted provider over HTTP, real files, the real sandbox. */
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { dialectNames } from '../kit/dialect-client.ts';
import { createTurnJourney, eventsOf, expectAnswer, sentText, toolEnds } from '../kit/turn-journey.ts';

describe.each(dialectNames)('handrail ask with %s', (dialect) => {
  test('[E02] reads a file and the model gets its text', async () => {
    const journey = await createTurnJourney(dialect, [
      { text: 'Let me look.', calls: [{ name: 'read_file', input: { path: 'notes/plan.txt' } }] },
      { text: 'The plan says: feed the heron.' },
    ]);
    journey.write('notes/plan.txt', 'Feed the heron at six.\n');
    const end = await journey.ask(['What', 'is', 'the', 'plan?']);
    expectAnswer(journey, end, 'The plan says: feed the heron.');
    expect(toolEnds(end)).toMatchObject([{ tool: 'read_file', outcome: { ok: true }, decision: { verdict: 'allow' } }]);
    expect(sentText(journey, 0)).toContain('What is the plan?');
    expect(sentText(journey, 1)).toContain('Feed the heron at six.');
  });

  test('[E08] edits a file on disk and shows the change as a diff', async () => {
    const input = { path: 'menu.txt', oldString: 'soup $1', newString: 'stew $& $1' };
    const journey = await createTurnJourney(dialect, [
      { calls: [{ name: 'edit_file', input }] },
      { text: 'The menu has stew.' },
    ]);
    journey.write('menu.txt', 'bread\r\nsoup $1\r\nno end');
    chmodSync(path.join(journey.workspace, 'menu.txt'), 0o640);
    const end = await journey.ask(['Stew, please']);
    expectAnswer(journey, end, 'The menu has stew.');
    expect(journey.read('menu.txt')).toBe('bread\r\nstew $& $1\r\nno end');
    expect(statSync(path.join(journey.workspace, 'menu.txt')).mode & 0o777).toBe(0o640);
    const [view] = toolEnds(end).map(({ outcome }) => outcome.view);
    expect(view).toMatchObject({ kind: 'diff', path: path.join(journey.workspace, 'menu.txt'), added: 1, removed: 1 });
    const changed =
      view?.kind === 'diff' ? view.lines.filter(({ kind }) => kind === 'added' || kind === 'removed') : [];
    expect(changed.map(({ kind, content }) => [kind, content.trimEnd()])).toEqual([
      ['removed', 'soup $1'],
      ['added', 'stew $& $1'],
    ]);
  });

  test('[E12] finds text in files, and only in those that fit', async () => {
    const input = { pattern: 'wading b[ai]rd', include: '*.md' };
    const journey = await createTurnJourney(dialect, [{ calls: [{ name: 'grep', input }] }, { text: 'In birds.md.' }]);
    journey.write('deep/er/birds.md', 'one\na wading bird\n');
    journey.write('birds.txt', 'a wading bird\n');
    const end = await journey.ask(['Where are the birds?']);
    expectAnswer(journey, end, 'In birds.md.');
    const [call] = toolEnds(end);
    expect(call?.outcome.text).toContain('deep/er/birds.md');
    expect(call?.outcome.text).not.toContain('birds.txt');
    expect(sentText(journey, 1)).toContain('a wading bird');
  });

  test('[K58] runs a command in the sandbox, which sees neither the keys nor the state', async () => {
    const command = 'echo out; echo err >&2; env; cat ../home/canary ../state/*; touch made-inside; exit 3';
    const journey = await createTurnJourney(dialect, [
      { calls: [{ name: 'execute_shell_command', input: { command } }] },
      { text: 'It ended with 3.' },
    ]);
    writeFileSync(path.join(journey.home, 'canary'), 'canary-4711');
    const end = await journey.ask(['Run it']);
    expectAnswer(journey, end, 'It ended with 3.');
    const [call] = toolEnds(end);
    expect(call?.outcome).toMatchObject({ ok: true, data: { exit_code: 3, rung: 'namespaces', timed_out: false } });
    expect(call?.outcome.data?.['stdout']).toMatch(/^out\n/u);
    expect(call?.outcome.data?.['stderr']).toMatch(/^err\n/u);
    expect(existsSync(path.join(journey.workspace, 'made-inside'))).toBe(true);
    expect(sentText(journey, 1)).toContain('[exit code 3]');
    for (const secret of ['canary-4711', 'k3y:Geheim', journey.server.url]) {
      expect(sentText(journey, 1)).not.toContain(secret);
      expect(end.stdout).not.toContain(secret);
    }
  });

  test('[K67] runs eight parallel calls together and answers them in their order', async () => {
    // Each waits for all eight: in a row the first would give up.
    const command = (at: number) =>
      `touch here-${at}; for try in $(seq 400); do [ $(ls here-* | wc -l) = 8 ] && echo "number ${at} met all" && exit; sleep 0.05; done; exit 9`;
    const calls = Array.from({ length: 8 }, (_, at) => ({
      name: 'execute_shell_command',
      input: { command: command(at) },
    }));
    const journey = await createTurnJourney(dialect, [{ calls }, { text: 'All eight met.' }]);
    const end = await journey.ask(['Meet']);
    expectAnswer(journey, end, 'All eight met.');
    expect(toolEnds(end).map(({ outcome }) => outcome.data?.['exit_code'])).toEqual(Array(8).fill(0));
    // The commands' own text is in the request too, before all results.
    const results = calls.map((_, at) => sentText(journey, 1).lastIndexOf(`number ${at} met all`));
    expect(sentText(journey, 1).match(/number \d met all/gu)).toHaveLength(16);
    expect(results).toEqual(results.toSorted((left, right) => left - right));
    const starts = eventsOf(end, 'tool-start').map(({ seq }) => seq);
    expect(Math.max(...starts)).toBeLessThan(Math.min(...toolEnds(end).map(({ seq }) => seq)));
  });

  test('[K04] tells the model of an unknown tool and goes on', async () => {
    const journey = await createTurnJourney(dialect, [
      { calls: [{ name: 'read_fil', input: { path: 'a.txt' } }] },
      { calls: [{ name: 'read_file', input: { path: 'a.txt' } }] },
      { text: 'Found it at the second try.' },
    ]);
    journey.write('a.txt', 'alpha\n');
    const end = await journey.ask(['Read a.txt']);
    expectAnswer(journey, end, 'Found it at the second try.');
    expect(toolEnds(end).map(({ outcome }) => outcome.error?.code)).toEqual(['not_found', undefined]);
    expect(sentText(journey, 1)).toMatch(/There is no tool named \\"read_fil\\"[^"]*read_file/u);
  });

  test('[K04] survives arguments that are broken JSON', async () => {
    const broken = { calls: [{ name: 'read_file', rawInput: '{"path": "a.txt' }] };
    const whole = { calls: [{ name: 'read_file', input: { path: 'a.txt' } }] };
    const journey = await createTurnJourney(dialect, [broken, whole, { text: 'Read at last.' }]);
    journey.write('a.txt', 'alpha\n');
    const end = await journey.ask(['Read a.txt']);
    expectAnswer(journey, end, 'Read at last.');
    if (dialect === 'gemini') {
      // Gemini keeps such a call back and says only that its model failed: it is asked again.
      expect(eventsOf(end, 'model-retry')).toMatchObject([{ kind: 'incomplete', attempt: 1 }]);
      expect(toolEnds(end).map(({ outcome }) => outcome.error?.code)).toEqual([undefined]);
      return;
    }
    expect(toolEnds(end).map(({ outcome }) => outcome.error?.code)).toEqual(['invalid_input', undefined]);
    expect(eventsOf(end, 'tool-start')[0]?.input).toBe('{"path": "a.txt');
    expect(sentText(journey, 1)).toMatch(/not valid JSON/u);
  });

  test('[K06] tells the model of a tool that fails and of arguments that do not fit', async () => {
    const journey = await createTurnJourney(dialect, [
      {
        calls: [
          { name: 'read_file', input: { path: 'no-such.txt' } },
          { name: 'read_file', input: { file: 'a.txt' } },
          { name: 'edit_file', input: { path: 'a.txt', oldString: 'x', newString: 'y' } },
        ],
      },
      { text: 'None of the three worked.' },
    ]);
    journey.write('a.txt', 'x\nx\n');
    const end = await journey.ask(['Try three things']);
    expectAnswer(journey, end, 'None of the three worked.');
    const byId = new Map(toolEnds(end).map((each) => [each.callId, each.outcome]));
    const outcomes = eventsOf(end, 'tool-start').map(({ callId }) => byId.get(callId));
    expect(outcomes.map((outcome) => outcome?.error?.code)).toEqual(['not_found', 'invalid_input', expect.any(String)]);
    for (const outcome of outcomes) expect(sentText(journey, 1)).toContain(`Error (${outcome?.error?.code}): `);
    expect(journey.read('a.txt')).toBe('x\nx\n');
  });

  test('[E26] tells the model of a denied call and goes on with the others', async () => {
    const journey = await createTurnJourney(dialect, [
      {
        calls: [
          { name: 'write_file', input: { path: '../outside.txt', content: 'x' } },
          { name: 'read_file', input: { path: '../state/settings.json' } },
          { name: 'write_file', input: { path: 'inside.txt', content: 'fine\n' } },
        ],
      },
      { text: 'One of three was allowed.' },
    ]);
    const end = await journey.ask(['Write both']);
    expectAnswer(journey, end, 'One of three was allowed.');
    const verdicts = new Map(toolEnds(end).map((each) => [each.callId, each]));
    const ends = eventsOf(end, 'tool-start').map(({ callId }) => verdicts.get(callId));
    expect(ends.map((each) => [each?.decision.verdict, each?.outcome.error?.code])).toEqual([
      ['deny', 'denied'],
      ['deny', 'denied'],
      ['allow', undefined],
    ]);
    expect(existsSync(path.join(journey.root, 'outside.txt'))).toBe(false);
    expect(journey.read('inside.txt')).toBe('fine\n');
    expect(sentText(journey, 1)).toMatch(/Error \(denied\): [^"]*outside the workspace[^"]*nobody is here/u);
  });
});
