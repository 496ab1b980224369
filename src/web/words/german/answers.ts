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
  'error.auth': 'Der Dienst hat den Schlüssel nicht angenommen. Trage einen anderen ein und versuche es noch einmal.',
  'error.quota': 'Das Konto beim Dienst ist leer. Wähle ein anderes Modell oder lade es auf.',
  'error.busy': 'Der Dienst hat zu viel zu tun. Warte ein wenig und versuche es noch einmal.',
  'error.network': 'Der Dienst war nicht zu erreichen. Prüfe die Verbindung und versuche es noch einmal.',
  'error.incomplete': 'Die Antwort brach ab. Nichts ist verloren: Versuche es noch einmal.',
  'error.unknown-model': 'Der Dienst kennt dieses Modell nicht. Wähle ein anderes.',
  'error.overflow':
    'Dieses Gespräch ist zu lang für das Modell. Beginne ein neues oder wähle ein Modell mit größerem Kontext.',
  'error.refused': 'Der Dienst wollte darauf nicht antworten. Sage es mit anderen Worten.',
  'error.budget': 'Erhöhe das Budget, oder mache weiter, wenn es von vorn beginnt.',
  'error.to-models': 'Modelle öffnen',
  'error.to-budgets': 'Budgets öffnen',
  'export.markdown': 'Als Markdown exportieren',
  'export.json': 'Als JSON exportieren',
};
