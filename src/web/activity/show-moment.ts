/** When something was: a clock time today, with its day before that. */

/** As the browser's own settings show it. */
export function showMoment(at: string, now = new Date()): string {
  const moment = new Date(at);
  const time = moment.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  if (moment.toDateString() === now.toDateString()) return time;
  const year = moment.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return `${moment.toLocaleDateString(undefined, { day: 'numeric', month: 'short', ...year })}, ${time}`;
}
