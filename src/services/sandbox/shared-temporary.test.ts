import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { bindTemporary, removeTemporary } from './shared-temporary.ts';

const state = mkdtempSync(join(tmpdir(), 'handrail-temporary-'));
const folder = join(state, 'sandbox');
const place = { folder, home: join(state, 'home'), uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
mkdirSync(folder);
afterEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
});
afterAll(() => rmSync(state, { recursive: true }));

describe('the /tmp of a conversation', () => {
  it('[S04] is the same for every command of it, open as /tmp is, and another one for the next conversation', () => {
    const first = bindTemporary(place, 'one');
    writeFileSync(join(first.source, 'kept'), '');
    expect(bindTemporary(place, 'one')).toEqual(first);
    expect(existsSync(join(first.source, 'kept'))).toBe(true);
    expect(bindTemporary(place, 'two').source).not.toBe(first.source);
    expect(statSync(first.source).mode & 0o7777).toBe(0o1777);
  });

  it('[A24] has a name that no conversation can choose', () => {
    expect(bindTemporary(place, '../../../etc').source).toMatch(/\/sandbox\/tmp-[0-9a-f]{8}-[0-9a-f]{24}$/u);
  });

  it('does not outlive a restart of the machine', async () => {
    const old = join(folder, 'tmp-00000000-0123456789abcdef01234567');
    mkdirSync(old);
    writeFileSync(join(old, 'left'), '');
    bindTemporary(place, 'one');
    await expect.poll(() => existsSync(old)).toBe(false);
  });

  it('[S07] goes with its conversation, and with no other', async () => {
    const one = bindTemporary(place, 'one').source;
    const two = bindTemporary(place, 'two').source;
    await removeTemporary(state, join(state, 'home'), 'one');
    expect([existsSync(one), existsSync(two)]).toEqual([false, true]);
    await removeTemporary(state, join(state, 'home'), 'never seen');
  });
});
