/** get_local_time: the date and time where the machine is. */
import { z } from 'zod';
import { defineTool } from '../../contract/tool.ts';

export default defineTool({
  title: 'Local date and time',
  description: 'The current local date and time, weekday and time zone.',
  aliases: ['get_current_datetime'],
  input: z.strictObject({}),
  output: z.object({
    iso_datetime: z.string(),
    display_datetime: z.string(),
    timezone: z.string(),
    day_of_week: z.string(),
    utc_offset: z.string(),
  }),
  needs: ['clock'],
  access: () => [{ kind: 'none' }],
  effect: 'read',
  summary: () => 'now',
  smallModels: true,
  run(_input, { clock }) {
    const data = describeTime(clock.now(), clock.timeZone());
    return Promise.resolve({ text: `${data.display_datetime} (${data.timezone}, UTC${data.utc_offset})`, data });
  },
});

function describeTime(
  now: Date,
  timeZone: string,
): { iso_datetime: string; display_datetime: string; timezone: string; day_of_week: string; utc_offset: string } {
  const part = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(now);
  const day = part({ weekday: 'long' });
  // Sweden writes dates as ISO 8601 does.
  const iso = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    .format(now)
    .replace(' ', 'T');
  const offset =
    new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
      .formatToParts(now)
      .find(({ type }) => type === 'timeZoneName')
      ?.value.replace('GMT', '') ?? '';
  // ICU puts a narrow no-break space before AM and PM.
  const time = part({ hour: 'numeric', minute: '2-digit', hour12: true }).replaceAll(/\s/g, ' ');
  return {
    iso_datetime: iso,
    display_datetime: `${day}, ${part({ month: 'long', day: 'numeric', year: 'numeric' })} at ${time}`,
    timezone: timeZone,
    day_of_week: day,
    utc_offset: offset === '' ? '+00:00' : offset,
  };
}
