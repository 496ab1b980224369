import { expect, it } from 'vitest';
import { createClock } from './clock.ts';

const zoneOf = (name: string | undefined) => {
  const owner = createClock(
    () => new Date(),
    () => name,
  );
  const signal = new AbortController().signal;
  const conversation = { id: 'c', workspace: '/w', isThrowaway: true };
  return owner.forCall({ callId: 'c', conversation, granted: [], signal }).timeZone();
};

it.each([
  ['Asia/Kolkata', 'Asia/Kolkata'],
  [':Europe/Berlin', 'Europe/Berlin'],
  ['/usr/share/zoneinfo/America/Argentina/Ushuaia', 'America/Argentina/Ushuaia'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['UTC', 'UTC'],
])('[K09] TZ=%s is the zone %s, as it is written', (name, zone) => {
  expect(zoneOf(name)).toBe(zone);
});

it.each(['Nowhere/Odd', 'EST5EDT4', ':/etc/localtime', '', '\u0000', undefined])(
  '[K09] TZ=%j, which names no zone, still gives one that dates can be written in',
  (name) => {
    expect(() => new Intl.DateTimeFormat('en', { timeZone: zoneOf(name) })).not.toThrow();
    expect(typeof zoneOf(name)).toBe('string');
  },
);
