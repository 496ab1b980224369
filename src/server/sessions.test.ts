import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { allowPlaces, isLoopback } from './allowed-places.ts';
import { readCookie } from './cookies.ts';
import { createPasswordCheck } from './password-check.ts';
import { createSessions, linkMinutes, sessionDays } from './sessions.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

function world() {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-sessions-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clock = { now: Date.now() };
  const file = path.join(folder, 'state', 'web-sessions.json');
  return { file, clock, open: () => createSessions(file, () => clock.now) };
}

it('[A5] a link is good for one browser and for ten minutes', () => {
  const { clock, open } = world();
  const sessions = open();
  const [first, second] = [sessions.newLink(), sessions.newLink()];
  expect(first).toMatch(/^[\w-]{43}$/);
  const value = sessions.redeem(first);
  expect(sessions.isValid(value)).toBe(true);
  expect(sessions.redeem(first)).toBeUndefined();
  clock.now += linkMinutes * minuteMs;
  expect(sessions.redeem(second)).toBeUndefined();
  expect(open().redeem(sessions.newLink())).toBeUndefined();
});

it('[A5] a session lives on over a restart while it is used, and no longer', () => {
  const { file, clock, open } = world();
  const value = open().begin();
  expect(readFileSync(file, 'utf8')).not.toContain(value);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  for (let used = 0; used < 3; used += 1) {
    clock.now += (sessionDays - 1) * dayMs;
    expect(open().isValid(value)).toBe(true);
  }
  clock.now += sessionDays * dayMs;
  expect(open().isValid(value)).toBe(false);
});

it('[A5] what is no session is none: empty, shorter, longer, a hash, another file', () => {
  const { file, open } = world();
  const sessions = open();
  const value = sessions.begin();
  const hash = /[0-9a-f]{64}/.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
  for (const other of [undefined, '', value.slice(1), `${value}x`, hash, value.toUpperCase()])
    expect([other, sessions.isValid(other)]).toEqual([other, false]);
  expect(world().open().isValid(value)).toBe(false);
  for (const text of ['', '{}', '{"sessions":[{"hash":"","createdAt":"","usedAt":""}]}', '[]']) {
    writeFileSync(file, text);
    expect([open().isValid(value), open().isValid('')]).toEqual([false, false]);
  }
  sessions.end(value);
  expect(sessions.isValid(value)).toBe(false);
});

it('[A11] guesses at a password run out, and come back with time', () => {
  const clock = { now: 0 };
  const check = createPasswordCheck('the right one', () => clock.now);
  expect(check('the right one')).toBe('right');
  for (let guess = 0; guess < 10; guess += 1) expect(check(`guess ${guess}`)).toBe('wrong');
  expect(check('the right one')).toBe('too-many');
  clock.now += 5 * minuteMs;
  expect(check('the right one')).toBe('right');
  expect(createPasswordCheck(undefined)('')).toBe('wrong');
});

it('[A2] only loopback is loopback, and only what was named is a place', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1'])
    expect([address, isLoopback(address)]).toEqual([address, true]);
  for (const address of [
    '0.0.0.0',
    '::',
    '10.0.0.1',
    '128.0.0.1',
    '127.1',
    '0177.0.0.1',
    'localhost',
    '',
    '::ffff:10.0.0.1',
  ])
    expect([address, isLoopback(address)]).toEqual([address, false]);
  const places = allowPlaces('127.0.0.1', 80);
  expect([places.isHost('127.0.0.1'), places.isHost('LOCALHOST:80'), places.isHost('[::1]')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([places.isOrigin('http://localhost', 'localhost'), places.isOrigin('https://localhost', 'localhost')]).toEqual(
    [true, false],
  );
  const all = allowPlaces('0.0.0.0', 4747, ['Hand.Example.org']);
  expect([all.isHost('0.0.0.0:4747'), all.isHost('127.0.0.1:4747'), all.isHost('hand.example.org')]).toEqual([
    false,
    true,
    true,
  ]);
});

it('a cookie that comes twice is none', () => {
  expect(readCookie('a=1; handrail_1=x', 'handrail_1')).toBe('x');
  expect(readCookie('handrail_1=x; handrail_1=y', 'handrail_1')).toBeUndefined();
  expect(readCookie(undefined, 'handrail_1')).toBeUndefined();
});
