/** German words around the screens that a model describes. */
import type { kaiWords as english } from '../english/kai.ts';
import type { Translated } from '../words.ts';

export const kaiWords: Translated<typeof english> = {
  'kai.screen': 'Ansicht',
  'kai.by-model': 'Vom Modell als kai-ui gezeigt',
  'kai.waiting': '{label}, wartet auf die Antwort',
  'kai.awaited': 'Gesendet. Die nächste Ansicht kommt.',
  'kai.answered': 'beantwortet',
  'kai.progress': 'Fortschritt',
  'kai.mode': 'Wie es antwortet',
  'kai.mode-chat': 'Gespräch',
  'kai.mode-interactive': 'Interaktiv',
  'kai.mode-text': 'Interaktiv: Es antwortet mit Ansichten zum Drücken und Ausfüllen.',
};
