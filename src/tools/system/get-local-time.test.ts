import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createFileWorld } from '../../../test/kit/file-world.ts';
import getLocalTime from './get-local-time.ts';

describe('get_local_time', () => {
  it('[K09] gives local date, time, weekday, zone and offset', async () => {
    const script = `
      import { createClock } from './src/services/clock.ts';
      import tool from './src/tools/system/get-local-time.ts';
      const clock = createClock(() => new Date('2026-01-31T23:05:09Z')).forCall();
      console.log(JSON.stringify((await tool.run({}, { clock }, {})).data));`;
    const inZone = async (TZ: string): Promise<unknown> => {
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
        cwd: new URL('../../../', import.meta.url),
        env: { ...process.env, TZ },
      });
      return JSON.parse(stdout);
    };
    expect(await inZone('Asia/Tokyo')).toEqual({
      iso_datetime: '2026-02-01T08:05:09',
      display_datetime: 'Sunday, February 1, 2026 at 8:05 AM',
      timezone: 'Asia/Tokyo',
      day_of_week: 'Sunday',
      utc_offset: '+09:00',
    });
    expect(await inZone('America/St_Johns')).toMatchObject({
      iso_datetime: '2026-01-31T19:35:09',
      display_datetime: 'Saturday, January 31, 2026 at 7:35 PM',
      timezone: 'America/St_Johns',
      utc_offset: '-03:30',
    });
    expect(await inZone('UTC')).toMatchObject({ timezone: 'UTC', utc_offset: '+00:00' });
    expect(await inZone('Nowhere/Land')).toMatchObject({ day_of_week: expect.stringMatching(/day$/) as string });
  });

  it('is known by its other name and reads well', async () => {
    const world = createFileWorld({ now: () => new Date('2026-11-21T12:00:00Z') });
    const { text } = await world.call(getLocalTime, {});
    world.remove();
    expect(getLocalTime.aliases).toEqual(['get_current_datetime']);
    expect(text).toMatch(/day, November 2\d, 2026 at \d+:\d\d [AP]M \(.+, UTC[+-]\d\d:\d\d\)$/);
  });
});
