import { describe, expect, test } from 'vitest';
import { readTyped } from '../../base/typed-keys.ts';
import { bytesOf } from './key-bytes.ts';
import { createScreenModel } from './screen-model.ts';
import { createTranscript } from './transcript.ts';
import { createTypedLog } from './typed-log.ts';

describe('key-bytes', () => {
  test.each([
    ['ls<enter>', 'ls\r'],
    ['<ctrl-c><ctrl-z><ctrl-\\>', '\x03\x1a\x1c'],
    ['<up><down><home><end>', '\x1b[A\x1b[B\x1b[H\x1b[F'],
    ['<f1><f5><f12><delete><pageup>', '\x1bOP\x1b[15~\x1b[24~\x1b[3~\x1b[5~'],
    ['<ctrl-left><shift-tab><alt-b><alt-enter><ctrl-delete>', '\x1b[1;5D\x1b[Z\x1bb\x1b\r\x1b[3;5~'],
    ['é日<ctrl-@><backspace>', 'é日\x00\x7f'],
  ])('[N09] %j is what a terminal sends', (input, bytes) => {
    expect(bytesOf(readTyped(input), false)).toBe(bytes);
  });

  test('cursor keys are other ones while a full-screen program wants them', () => {
    expect(bytesOf(readTyped('<up><end>'), true)).toBe('\x1bOA\x1bOF');
  });
});

describe('screen-model', () => {
  test('[N09] shows rows, cursor and history as a terminal does', async () => {
    const screen = await createScreenModel(10, 3);
    await screen.write(Buffer.from('one\r\ntwo\r\nthree\r\n\x1b[31mfour\x1b[0m and more'));
    expect(await screen.look(5)).toEqual({
      lines: ['three', 'four and m', 'ore'],
      cursor: { row: 2, column: 3 },
      history: ['one', 'two'],
    });
    expect((await screen.look(1)).history).toEqual(['two']);
    screen.close();
  });

  test('[S28] a full-screen program has a screen of its own, and gives the other back', async () => {
    const screen = await createScreenModel(20, 3);
    await screen.write(Buffer.from('before\x1b[?1049h\x1b[2;3Hmiddle\x1b[?1h'));
    expect([screen.isAlternate(), screen.usesApplicationCursorKeys()]).toEqual([true, true]);
    expect((await screen.look(0)).lines).toEqual(['', '  middle', '']);
    screen.resize(20, 5);
    expect((await screen.look(0)).lines).toHaveLength(5);
    await screen.write(Buffer.from('\x1b[?1049l\x1b[?1l'));
    expect(screen.isAlternate()).toBe(false);
    expect((await screen.look(0)).lines[0]).toBe('before');
    screen.close();
  });

  test('a character in two pieces is one, and questions are answered', async () => {
    const screen = await createScreenModel(20, 3);
    const replies: string[] = [];
    screen.onReply((text) => replies.push(text));
    const [first, ...rest] = Buffer.from('é');
    await screen.write(Buffer.from([first ?? 0]));
    await screen.write(Buffer.from([...rest, ...Buffer.from('\x1b[6n')]));
    expect((await screen.look(0)).lines[0]).toBe('é');
    expect(replies).toEqual(['\x1b[1;2R']);
    screen.close();
  });
});

test('[S10] the transcript keeps the end, whole characters of it, and does not grow', () => {
  const transcript = createTranscript(1_000);
  for (let round = 0; round < 5_000; round += 1) transcript.add(Buffer.from('é日'));
  transcript.add(Buffer.from('end'));
  const kept = transcript.read();
  expect(kept.length).toBeGreaterThan(900);
  expect(kept.length).toBeLessThanOrEqual(1_000);
  expect(kept.toString()).toMatch(/^[é日]+end$/);
  transcript.add(Buffer.alloc(10_000, 'x'));
  expect(transcript.read().toString()).toBe('x'.repeat(1_000));
});

test('what was typed is remembered until it is sent off or given up', () => {
  const log = createTypedLog();
  const before = log.count;
  const textsOf = () =>
    log.pieces.map(({ tokens }) => tokens.map((token) => (token.kind === 'text' ? token.text : token.name)).join(' '));
  log.add(readTyped('ls<enter>rm'), true);
  log.add(readTyped(' x'), false);
  expect([textsOf(), log.count - before]).toEqual([['rm', ' x'], 2]);
  expect(createTypedLog().count).not.toBe(before);
  log.add(readTyped('<enter>'), true);
  expect(textsOf()).toEqual([]);
  log.add(readTyped('abc<ctrl-c>'), true);
  expect(textsOf()).toEqual([]);
  for (let round = 0; round < 3_000; round += 1) log.add(readTyped('a'), true);
  // So much cannot be read any more, and does not grow.
  expect(log.pieces.length).toBeLessThan(2_001);
  expect(log.pieces.some(({ tokens }) => tokens.some((token) => token.kind === 'key'))).toBe(true);
});
