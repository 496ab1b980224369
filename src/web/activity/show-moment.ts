/** When something was: a clock time today, with its day before. */

export function showMoment(at: string, language: string, now = new Date()): string {
  const moment = new Date(at);
  const time = moment.toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  if (moment.toDateString() === now.toDateString()) return time;
  const year = moment.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return `${moment.toLocaleDateString(language, { day: 'numeric', month: 'short', ...year })}, ${time}`;
}
