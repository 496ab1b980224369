/** Who is asked, with and without a terminal, what the question shows, and what no answer can allow. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findLeftovers } from '../kit/leftovers.ts';
import type { LiveProgram, RunEnd } from '../kit/program.ts';
import { createTurnJourney, eventsOf, expectAnswer, sentText, toolEnds, turnEnd } from '../kit/turn-journey.ts';
import type { TurnJourney } from '../kit/turn-journey.ts';

const onTerminal = { onTerminal: true };
const write = (content: string) => ({ name: 'write_file', input: { path: '../outside.txt', content } });
const shell = (command: string, more: object = {}) => ({ name: 'execute_shell_command', input: { command, ...more } });
const outside = ({ root }: TurnJourney) => path.join(root, 'outside.txt');
const prompt = 'Number and Enter: ';

/** Without colours and the terminal's own line ends. */
// oxlint-disable-next-line no-control-regex
const shown = (live: LiveProgram) =>
  live
    .stderr()
    .replaceAll(/\u001b\[[0-9;]*m/gu, '')
    .replaceAll('\r\n', '\n');

/** Waits for the next question and types an answer to it. */
async function reply(live: LiveProgram, words: string, from = 0): Promise<void> {
  await live.waitForText(prompt, from);
  live.type(`${words}\n`);
}

const verdicts = (end: RunEnd) => toolEnds(end).map(({ decision }) => decision.verdict);
const answers = (end: RunEnd) => eventsOf(end, 'permission-answer').map(({ answer }) => answer);

describe('on a terminal', () => {
  test('[E24] a write outside is asked about with both paths and the diff, and done after a yes', async () => {
    const journey = await createTurnJourney('anthropic', [{ calls: [write('new line\n')] }, { text: 'Written.' }]);
    writeFileSync(outside(journey), 'old line\n');
    const live = journey.startAsk(['Write'], onTerminal);
    await live.waitForText(prompt);
    expect(shown(live)).toContain('../outside.txt');
    expect(shown(live)).toContain(outside(journey));
    expect(shown(live)).toContain('write_file');
    expect(shown(live)).toMatch(/outside the workspace/u);
    expect(shown(live)).toMatch(/- ?old line\n[^\n]*\+ ?new line\n/u);
    expect(shown(live)).toMatch(/1 {2}Allow once\n\s*2 {2}Allow in this chat\n\s*3 {2}Deny\n/u);
    expect(readFileSync(outside(journey), 'utf8')).toBe('old line\n');
    live.type('1\n');
    const end = await live.ended;
    expectAnswer(journey, end, 'Written.');
    expect(readFileSync(outside(journey), 'utf8')).toBe('new line\n');
    const [asked] = eventsOf(end, 'permission-ask');
    expect(asked?.question).toMatchObject({
      tool: 'write_file',
      scopes: ['once', 'conversation'],
      preview: { kind: 'diff' },
    });
    expect(eventsOf(end, 'permission-answer')).toMatchObject([
      { questionId: asked?.question.id, origin: 'terminal', answer: { verdict: 'allow', scope: 'once' } },
    ]);
  });

  test('a no is told to the model and changes nothing; what is no number is asked again', async () => {
    const journey = await createTurnJourney('openai-chat', [{ calls: [write('x')] }, { text: 'Not written.' }]);
    const live = journey.startAsk(['Write'], onTerminal);
    for (const words of ['yes', '', '4', '0']) {
      const before = live.stderr().length;
      await reply(live, words, Math.max(0, live.stderr().lastIndexOf(prompt)));
      await live.waitForText('from 1 to 3', before);
    }
    expect(existsSync(outside(journey))).toBe(false);
    live.type('3\n');
    const end = await live.ended;
    expectAnswer(journey, end, 'Not written.');
    expect(existsSync(outside(journey))).toBe(false);
    expect(answers(end)).toEqual([{ verdict: 'deny' }]);
    expect(sentText(journey, 1)).toMatch(/Error \(denied\): [^"]*you said no/u);
  });

  test('hidden and control characters of a command are shown, not obeyed', async () => {
    const command = "rm -f 'in\u202Exe.txt' \u200B; echo \u001B[2K\u001B[1A harmless";
    const journey = await createTurnJourney('gemini', [{ calls: [shell(command)] }, { text: 'Refused.' }]);
    const live = journey.startAsk(['Run'], onTerminal);
    await live.waitForText(prompt);
    expect(shown(live).replaceAll(/\s+/gu, ' ')).toContain(
      String.raw`rm -f 'in\u202exe.txt' \u200b; echo \x1b[2K\x1b[1A harmless`,
    );
    for (const raw of ['\u202E', '\u200B', '\u001B[2K', '\u001B[1A']) expect(live.stderr()).not.toContain(raw);
    live.type('3\n');
    const end = await live.ended;
    expectAnswer(journey, end, 'Refused.');
    expect(verdicts(end)).toEqual(['deny']);
    // The event is data and keeps the bytes.
    expect(eventsOf(end, 'permission-ask')[0]?.question.accesses).toMatchObject([{ kind: 'command', command }]);
  });

  test.each([0, 24, 80])('a question can be read where the terminal has %d columns', async (columns) => {
    const journey = await createTurnJourney('gemini', [{ calls: [write('x')] }, { text: 'Refused.' }]);
    const live = journey.startAsk(['Write'], { onTerminal: true, columns });
    await live.waitForText(prompt);
    const widest = Math.max(
      ...shown(live)
        .split('\n')
        .map((text) => text.length),
    );
    expect(widest).toBeLessThanOrEqual(columns || 80);
    expect(widest).toBeGreaterThan((columns || 80) / 2);
    expect(shown(live).replaceAll(/\s+/gu, '')).toContain(outside(journey));
    live.type('3\n');
    expectAnswer(journey, await live.ended, 'Refused.');
  });

  test('"in this chat" holds for like calls of the conversation, also in another process, and nowhere else', async () => {
    const journey = await createTurnJourney('anthropic', [
      { calls: [write('one')] },
      { calls: [write('two')] },
      { text: 'Twice.' },
      { calls: [write('three')] },
      { text: 'Thrice.' },
      { calls: [{ name: 'write_file', input: { path: '../other.txt', content: 'x' } }] },
      { text: 'Not that one.' },
      { calls: [write('four')] },
      { text: 'Not in this chat.' },
    ]);
    const live = journey.startAsk(['Write'], onTerminal);
    await reply(live, '2');
    const first = await live.ended;
    expectAnswer(journey, first, 'Twice.');
    expect(eventsOf(first, 'permission-ask')).toHaveLength(1);
    expect(verdicts(first)).toEqual(['allow', 'allow']);
    expect(readFileSync(outside(journey), 'utf8')).toBe('two');

    const { conversationId } = turnEnd(first);
    const second = await journey.ask(['--conversation', conversationId, 'Again']);
    expectAnswer(journey, second, 'Thrice.');
    expect(readFileSync(outside(journey), 'utf8')).toBe('three');
    const third = await journey.ask(['--conversation', conversationId, 'Another file']);
    expect([turnEnd(third).answer, verdicts(third)]).toEqual(['Not that one.', ['deny']]);
    const elsewhere = await journey.ask(['Write']);
    expect([turnEnd(elsewhere).answer, verdicts(elsewhere)]).toEqual(['Not in this chat.', ['deny']]);
    expect(readFileSync(outside(journey), 'utf8')).toBe('three');
  });

  test('[E16] a call that its model calls dangerous is asked about each time', async () => {
    const danger = shell('echo ran >> ran', { isDangerous: true });
    const journey = await createTurnJourney('openai-responses', [{ calls: [danger, danger] }, { text: 'One of two.' }]);
    const live = journey.startAsk(['Run'], onTerminal);
    await reply(live, '1');
    const second = live.stderr().indexOf(prompt) + prompt.length;
    await reply(live, '2', second);
    expect(shown(live)).toMatch(/dangerous/u);
    const end = await live.ended;
    expectAnswer(journey, end, 'One of two.');
    expect(answers(end)).toEqual([{ verdict: 'allow', scope: 'once' }, { verdict: 'deny' }]);
    expect(journey.read('ran')).toBe('ran\n');
  });

  test('what changed while the question was open is not overwritten', async () => {
    const journey = await createTurnJourney('anthropic', [
      { calls: [write('mine')] },
      { text: 'Somebody was quicker.' },
    ]);
    writeFileSync(outside(journey), 'before');
    const live = journey.startAsk(['Write'], onTerminal);
    await live.waitForText(prompt);
    writeFileSync(outside(journey), 'meanwhile');
    live.type('1\n');
    const end = await live.ended;
    expectAnswer(journey, end, 'Somebody was quicker.');
    expect(toolEnds(end)[0]?.outcome.error?.code).toBe('conflict');
    expect(readFileSync(outside(journey), 'utf8')).toBe('meanwhile');
  });

  test('Ctrl-C at a question stops the turn within two seconds, and the conversation goes on', async () => {
    const journey = await createTurnJourney('gemini', [{ calls: [write('x')] }, { text: 'Going on.' }]);
    const live = journey.startAsk(['Write'], onTerminal);
    await live.waitForText(prompt);
    const startedAt = performance.now();
    live.type('\u0003');
    const end = await live.ended;
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect([end.code, turnEnd(end).reason]).toEqual([130, 'stopped']);
    expect(existsSync(outside(journey))).toBe(false);
    expectAnswer(journey, await journey.ask(['--continue', 'Go on']), 'Going on.');
  });

  test('a question that a kill left open is asked again, and its call runs once', async () => {
    const command = 'echo ran >> ran; rm -f ran.old';
    const journey = await createTurnJourney('openai-chat', [{ calls: [shell(command)] }, { text: 'Ran once.' }]);
    const killed = journey.startAsk(['Run'], onTerminal);
    await killed.waitForText(prompt);
    // Not the terminal's: that one's end would be a SIGHUP, which a program can answer.
    const program = findLeftovers(journey.root).find(({ text }) => text.includes('dist/main.js'));
    process.kill(program?.pid ?? 0, 'SIGKILL');
    await killed.ended;
    await journey.untilQuiet();
    expect(killed.events().at(-1)?.type).toBe('permission-ask');
    expect(existsSync(path.join(journey.workspace, 'ran'))).toBe(false);
    const live = journey.startAsk(['--continue'], onTerminal);
    await reply(live, '1');
    expectAnswer(journey, await live.ended, 'Ran once.');
    expect(journey.read('ran')).toBe('ran\n');
  });

  test('--approve none asks nothing and denies', async () => {
    const journey = await createTurnJourney('anthropic', [{ calls: [write('x')] }, { text: 'Denied.' }]);
    const end = await journey.ask(['--approve', 'none', 'Write'], onTerminal);
    expectAnswer(journey, end, 'Denied.');
    expect([verdicts(end), eventsOf(end, 'permission-ask'), existsSync(outside(journey))]).toEqual([
      ['deny'],
      [],
      false,
    ]);
  });

  test('--approve all asks nothing and allows', async () => {
    const journey = await createTurnJourney('anthropic', [{ calls: [write('x')] }, { text: 'Allowed.' }]);
    const end = await journey.ask(['--approve', 'all', 'Write'], onTerminal);
    expectAnswer(journey, end, 'Allowed.');
    expect([verdicts(end), eventsOf(end, 'permission-ask'), existsSync(outside(journey))]).toEqual([
      ['allow'],
      [],
      true,
    ]);
  });
});

describe('without a terminal', () => {
  test.each([[], ['--approve', 'ask'], ['--approve', 'none']])(
    '[E26] nobody is asked and nothing is done (%s %s)',
    async (...flags) => {
      const calls = [write('x'), shell('rm -f a.txt'), shell('true', { isDangerous: true })];
      const journey = await createTurnJourney('anthropic', [{ calls }, { text: 'None.' }]);
      journey.write('a.txt', 'kept');
      // A yes that is piped in answers no question: it belongs to what is asked of the model.
      const end = await journey.ask([...flags.filter((flag) => flag !== undefined), 'Do'], { stdin: '1\n1\n1\n' });
      expectAnswer(journey, end, 'None.');
      expect([verdicts(end), eventsOf(end, 'permission-ask')]).toEqual([['deny', 'deny', 'deny'], []]);
      expect([existsSync(outside(journey)), journey.read('a.txt')]).toEqual([false, 'kept']);
      expect(sentText(journey, 1).match(/nobody is here to give it/gu)).toHaveLength(3);
    },
  );

  test('--approve all allows what could be asked, and lifts no hard denial', async () => {
    const calls = [
      write('x'),
      shell('rm -f a.txt'),
      { name: 'read_file', input: { path: '../state/settings.json' } },
      { name: 'write_file', input: { path: '../state/settings.json', content: '{}' } },
      { name: 'read_file', input: { path: '../home/.ssh/id_ed25519' } },
      { name: 'write_file', input: { path: '../home/.ssh/authorized_keys', content: 'mine' } },
      { name: 'read_file', input: { path: 'link-to-key' } },
      { name: 'filesystem', input: { action: 'list', path: '../state' } },
    ];
    const journey = await createTurnJourney('openai-responses', [{ calls }, { text: 'Two of eight.' }]);
    journey.write('a.txt', 'to be removed');
    journey.writeSettings({ limits: { rounds: 7 } });
    mkdirSync(path.join(journey.home, '.ssh'), { mode: 0o700 });
    const keyFile = path.join(journey.home, '.ssh/id_ed25519');
    writeFileSync(keyFile, 'canary-key', { mode: 0o600 });
    symlinkSync(keyFile, path.join(journey.workspace, 'link-to-key'));
    const end = await journey.ask(['--approve', 'all', 'Do']);
    expectAnswer(journey, end, 'Two of eight.');
    const byId = new Map(toolEnds(end).map((each) => [each.callId, each.decision]));
    const decisions = eventsOf(end, 'tool-start').map(({ callId }) => byId.get(callId));
    expect(decisions.map((decision) => decision?.verdict)).toEqual(['allow', 'allow', ...Array(6).fill('deny')]);
    expect([existsSync(outside(journey)), existsSync(path.join(journey.workspace, 'a.txt'))]).toEqual([true, false]);
    expect(existsSync(path.join(journey.home, '.ssh/authorized_keys'))).toBe(false);
    expect(JSON.parse(readFileSync(path.join(journey.stateFolder, 'settings.json'), 'utf8'))).toEqual({
      limits: { rounds: 7 },
    });
    expect(sentText(journey, 1)).not.toContain('canary-key');
  });
});
