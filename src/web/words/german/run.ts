/** German words of the panel "This run". */
import type { runWords as english } from '../english/run.ts';
import type { Translated } from '../words.ts';

export const runWords: Translated<typeof english> = {
  'run.title': 'Dieser Lauf',
  'run.running': 'Läuft',
  'run.idle': 'Gerade läuft nichts.',
  'run.thinking': 'Das Modell arbeitet.',
  'run.asks': 'fragt dich',
  'run.no': 'abgelehnt',
  'run.jobs': 'Hintergrundaufträge',
  'run.stop-job': '{command} stoppen',
  'run.plan': 'Plan',
  'run.files': 'Geänderte Dateien',
  'run.review': 'Durchsehen',
  'run.commands': 'Befehle',
  'run.hosts': 'Rechner im Netz',
  'run.answers': 'Deine Antworten',
  'run.more.one': '{count} früheren zeigen',
  'run.more.many': '{count} frühere zeigen',
  'run.amounts': 'Verbraucht',
  'run.calls': 'Werkzeuge',
  'run.calls-made.one': '{count} Aufruf',
  'run.calls-made.many': '{count} Aufrufe',
  'run.tokens': 'Token',
  'run.cost': 'Kosten',
  'run.of': '{part} von {whole}',
  'run.earlier': 'Der frühere Teil dieses Gesprächs ist nicht geladen und nicht mitgezählt.',
};
