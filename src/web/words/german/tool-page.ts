/** German words of the page that tries one tool. */
import type { toolPageWords as english } from '../english/tool-page.ts';
import type { Translated } from '../words.ts';

export const toolPageWords: Translated<typeof english> = {
  'tool.title': 'Ein Werkzeug ausprobieren',
  'tool.pick': 'Werkzeug',
  'tool.choose-short': 'Werkzeug wählen',
  'tool.choose':
    'Wähle ein Werkzeug: Das Formular entsteht aus seinem Schema, das Ergebnis ist das, was ein Modell bekäme.',
  'tool.unknown': 'Ein Werkzeug „{name}“ gibt es hier nicht. Wähle ein anderes.',
  'tool.not-read': 'Die Werkzeuge konnten nicht gelesen werden: Der Server hat nicht geantwortet.',
  'tool.off': '{title} (aus)',
  'tool.arguments': 'Argumente',
  'tool.no-arguments': 'Es nimmt keine.',
  'tool.as': 'Wie Argumente geschrieben werden',
  'tool.as-form': 'Formular',
  'tool.json': 'Argumente als JSON',
  'tool.required': 'nötig',
  'tool.left-out': 'weggelassen',
  'tool.fallback': 'Weggelassen: {value}.',
  'tool.one-per-line': 'Eins je Zeile.',
  'tool.problem-missing': 'Das wird gebraucht.',
  'tool.problem-no-number': 'Schreibe eine Zahl.',
  'tool.problem-no-json': 'Das ist kein gültiges JSON-Objekt. Prüfe Anführungszeichen, Kommas und Klammern.',
  'tool.who': 'Wer es verlangt',
  'tool.who-asks': 'Wie ein Modell: Regeln entscheiden, es kann fragen',
  'tool.who-typed': 'Wie von mir getippt: dadurch erlaubt',
  'tool.run': 'Ausführen',
  'tool.result': 'Ergebnis',
  'tool.no-result': 'Hier steht, was das Werkzeug ergibt, so wie ein Modell es liest.',
  'tool.open-chat': 'Sein Gespräch öffnen',
  'tool.text': 'Text für das Modell',
  'tool.error': 'Fehler {code}, wie das Modell ihn liest',
  'tool.empty-text': 'Es ergab keinen Text.',
  'tool.data': 'Daten für Programme',
  'tool.no-answer': 'Der Server hat nicht geantwortet. Was läuft, kann weiterlaufen: Sein Gespräch zeigt es.',
  'tool.conversation': 'Von Hand ausprobierte Werkzeuge',
};
