/** German words of what people do in a chat: branch, attach, queue, find, keys. */
import type { doingWords as english } from '../english/doing.ts';
import type { Translated } from '../words.ts';

export const doingWords: Translated<typeof english> = {
  'turn.copy': 'Antwort kopieren',
  'turn.retry': 'Noch einmal versuchen',
  'turn.retry-hint': 'Noch einmal versuchen, in einem Zweig: dieses Gespräch bleibt, wie es ist',
  'turn.branch': 'Hier abzweigen',
  'turn.branch-hint': 'Ein neues Gespräch mit allem bis hierher; dieses bleibt, wie es ist',
  'said.edit': 'Bearbeiten',
  'said.edit-hint': 'Bearbeiten und in einem Zweig senden: dieses Gespräch bleibt, wie es ist',
  'edit.about':
    'Du bearbeitest eine frühere Nachricht. Gesendet beginnt sie einen Zweig; dieses Gespräch bleibt, wie es ist.',
  'edit.leave': 'Abbrechen',
  'branch.from': 'Abgezweigt von',
  'branch.about': 'Die Shell beginnt neu im Arbeitsordner; Jobs, Terminals und Erlaubnisse bleiben dort.',
  'branch.gone': 'Abgezweigt von einem Gespräch, das gelöscht wurde.',

  'attach.add': 'Dateien und Bilder anhängen',
  'attach.list': 'Angehängt',
  'attach.image': 'Bild',
  'attach.reading': 'wird gelesen…',
  'attach.uploading': '{name} wird hochgeladen',
  'attach.remove': '{name} entfernen',
  'attach.remove-first': 'Entferne zuerst, was sich nicht senden lässt.',
  'attach.drop': 'Loslassen zum Anhängen',
  'attach.problem-too-large': 'zu groß mit den anderen: sende es allein',
  'attach.problem-too-many': 'eins zu viel: {most} Bilder gehen mit einer Nachricht',
  'attach.problem-not-readable': 'dieser Browser kann es nicht lesen',
  'attach.problem-empty': 'leer',

  'queue.title': 'Nachrichten, die warten',
  'queue.waiting.one': '{count} Nachricht wartet auf das Ende dieses Zuges.',
  'queue.waiting.many': '{count} Nachrichten warten auf das Ende dieses Zuges.',
  'queue.held': 'Noch nicht gesendet, weil der letzte Zug nicht von selbst zu Ende ging.',
  'queue.send': 'Jetzt senden',
  'queue.edit': 'Wartende Nachricht bearbeiten',
  'queue.remove': 'Wartende Nachricht entfernen',
  'queue.images.one': '+ {count} Bild',
  'queue.images.many': '+ {count} Bilder',
  'composer.queue': 'Senden, wenn dieser Zug zu Ende ist',
};
