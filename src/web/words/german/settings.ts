/** German words of the frame of the settings; each page has its own file. */
import type { settingsWords as english } from '../english/settings.ts';
import type { Translated } from '../words.ts';

export const settingsWords: Translated<typeof english> = {
  'settings.title': 'Einstellungen',
  'settings.back': 'Zurück zum Gespräch',
  'settings.pages': 'Seiten der Einstellungen',
  'settings.saved': 'Änderungen gelten, sobald du sie machst.',
  'settings.changed-meanwhile':
    'Das wurde inzwischen an anderer Stelle geändert. Zu sehen ist, was jetzt dort steht; ändere es noch einmal, wenn du es noch willst.',
  'settings.page.about': 'Über',
  'settings.group.assistant': 'Assistent',
  'settings.group.hands': 'Hände',
  'settings.group.program': 'Dieses Programm',
};
