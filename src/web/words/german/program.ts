/** German words of the pages about the program itself: appearance, backup, about. */
import type { programWords as english } from '../english/program.ts';
import type { Translated } from '../words.ts';

export const programWords: Translated<typeof english> = {
  'settings.page.appearance': 'Darstellung',
  'settings.page.backup': 'Sicherung',

  'look.text': 'Nur für diesen Browser, und in ihm aufbewahrt.',
  'look.colours': 'Farben',
  'look.colours-text': 'System folgt dem, was der Rechner sagt, bei Tag und bei Nacht.',
  'look.theme-system': 'System',
  'look.theme-light': 'Hell',
  'look.theme-dark': 'Dunkel',
  'look.language': 'Sprache',
  'look.language-system': 'Die des Browsers',
  'look.language-text': 'Eine andere lädt die Seite neu. Entwürfe bleiben.',
  'look.motion': 'Was sich bewegt, folgt dem System: Wo weniger Bewegung gewünscht ist, bewegt sich hier nichts.',
  'look.keys': 'Tasten',
  'look.letters': 'Einzelne Buchstaben wirken',
  'look.letters-text':
    'A, C und D in einer Frage, die den Fokus hat, / für die Suche. Aus: Nur Tasten mit Strg oder Alt wirken.',
  'look.notices': 'Benachrichtigungen',
  'look.notices-text': 'Was dich fragt und was fertig ist, während du anderswo hinsiehst.',

  'backup.copies': 'Kopien',
  'backup.copies-text':
    'Unterhaltungen, Artefakte und Einstellungen. Schlüssel und Passwörter sind nie in einer Kopie.',
  'backup.make': 'Jetzt sichern',
  'backup.made': 'Gemacht: {place}, {size}. Kopiere diesen Ordner auf eine andere Platte.',
  'backup.none': 'Noch keine Kopie. Eine entsteht von selbst, bevor eine neue Version die Tabellen ändert.',
  'backup.kind-by-hand': 'Von Hand: ein Ordner mit Datenbank, Einstellungen und Artefakten',
  'backup.kind-migration': 'Bevor eine neue Version die Tabellen änderte: nur die Datenbank',
  'backup.copy-path': 'Den Pfad von {name} kopieren',
  'backup.way-back': 'Der Weg zurück zur neuesten Kopie',
  'backup.way-back-text':
    'Beende Handrail überall, dann gib dies in einem Terminal ein. Was jetzt da ist, wird beiseitegelegt, nicht verloren.',
  'backup.copy-commands': 'Die Befehle kopieren',
  'backup.places': 'Was wo liegt',
  'backup.place-database': 'Unterhaltungen, Erlaubnisse, Protokoll',
  'backup.place-artifacts': 'Artefakte: lange Ergebnisse und Dateien',
  'backup.place-settings': 'Einstellungen',
  'backup.place-secrets': 'Schlüssel und Passwörter',
  'backup.place-backups': 'Kopien',
  'backup.not-there': 'noch nichts',
  'backup.export': 'Alles, was gesagt wurde',
  'backup.export-text': 'Alle Unterhaltungen mit jedem Ereignis als JSON-Zeilen, für andere Programme.',
  'backup.export-now': 'Alle Unterhaltungen exportieren',

  'about.version': 'Version',
  'about.licence': 'Lizenz',
  'about.rung': 'Sandbox',
  'about.welcome': 'Erste Schritte',
  'about.sign-out': 'Abmelden',
  'about.not-signed-out': 'Der Server hat nicht geantwortet, dieser Browser ist noch angemeldet.',
  'about.findings': 'Dieser Rechner',
  'about.findings-text': 'Wie handrail doctor ihn sieht.',
  'about.look-again': 'Noch einmal nachsehen',
  'about.state-warning': 'Anzusehen:',
  'about.state-bad': 'In Ordnung zu bringen:',
  'about.copy-fix': 'Kopieren, was {area} in Ordnung bringt',
};
