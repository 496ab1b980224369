/** German words of what can be done with answers: copy, read aloud, export, be told. */
import type { answersWords as english } from '../english/answers.ts';
import type { Translated } from '../words.ts';

export const answersWords: Translated<typeof english> = {
  'speech.read': 'Vorlesen',
  'speech.stop': 'Vorlesen beenden',
  'speech.newest': 'Antwort vorlesen',
  'notify.asks': 'Handrail fragt dich',
  'notify.over': 'Es ist fertig',
  'notify.offer': 'Melden, wenn es fragt oder fertig ist, auch wenn ich woanders bin',
  'notify.decline': 'Das nicht mehr anbieten',
  'notify.allow': 'Meldungen erlauben',
  'notify.state-default': 'Noch nicht entschieden. Dein Browser wird dich fragen.',
  'notify.state-granted': 'Du erfährst, wenn etwas fragt oder ein langer Lauf fertig ist, während du woanders bist.',
  'notify.state-denied':
    'Dieser Browser erlaubt keine Meldungen für diese Adresse. Ändere das in den Einstellungen des Browsers für diese Seite.',
  'notify.state-unsupported':
    'Dieser Browser hat hier keine Meldungen. Sie brauchen https oder eine Adresse dieses Rechners.',
  'notify.said': 'Meldungen',
  'notify.open': 'Öffnen',
  'notify.put-away': 'Weglegen',
  'export.markdown': 'Als Markdown exportieren',
  'export.json': 'Als JSON exportieren',
};
