/** German words of results: diffs, tables, files, lists. */
import type { viewsWords as english } from '../english/views.ts';
import type { Translated } from '../words.ts';

export const viewsWords: Translated<typeof english> = {
  'diff.split': 'Nebeneinander',
  'diff.split-caption': 'Änderungen: vorher, nachher',
  'diff.all.one': 'Ganzen Diff zeigen ({count} Zeile)',
  'diff.all.many': 'Ganzen Diff zeigen ({count} Zeilen)',
  'output.copy': 'Ausgabe kopieren',
  'whole.label': 'Die ganze Ausgabe',
  'whole.show': 'Ganze Ausgabe zeigen ({size})',
  'whole.more': 'Mehr davon zeigen',
  'image.enlarge': 'Groß zeigen',
  'image.broken': 'Das Bild ließ sich nicht zeigen.',
  'model3d.label': 'Modell aus {name}, mit dem Zeiger oder den Pfeiltasten zu drehen',
  'model3d.reset': 'Ansicht zurücksetzen',
  'model3d.failed': 'Das Modell lässt sich hier nicht zeichnen. In Dateien kann man es herunterladen.',
  'table.copy': 'Als CSV kopieren',
  'table.empty': 'Keine Zeilen.',
  'files.none': 'Keine Dateien.',
  'files.open': '{path} in Dateien öffnen',
  'files.all.one': 'Alles zeigen ({count} Datei)',
  'files.all.many': 'Alle {count} Dateien zeigen',
  'checklist.empty': 'Nichts auf der Liste.',
  'checklist.done': 'erledigt',
  'checklist.active': 'in Arbeit',
  'checklist.open': 'offen',
  'checklist.cancelled': 'fallen gelassen',
  'formula.label': 'Formel',
  'form.needed': 'nötig',
};
