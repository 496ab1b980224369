/** German words of the first steps and of picking a folder. */
import type { setupWords as english } from '../english/setup.ts';
import type { Translated } from '../words.ts';

export const setupWords: Translated<typeof english> = {
  'folder.pick': 'Einen Ordner wählen',
  'folder.path': 'Ordner',
  'folder.up': 'Einen Ordner höher',
  'folder.open': 'Dorthin',
  'folder.in': 'Ordner in {folder}',
  'folder.loading': 'Der Ordner wird gelesen',
  'folder.empty': 'Hier sind keine Ordner.',
  'folder.more.one': '{count} weiterer ist nicht gezeigt. Schreib oben seinen Pfad.',
  'folder.more.many': '{count} weitere sind nicht gezeigt. Schreib oben den Pfad eines von ihnen.',
  'folder.use': 'Diesen Ordner nehmen',
  'folder.cancel': 'Abbrechen',
  'folder.is-git': 'Ein Git-Repository.',
  'folder.is-plain': 'Ein Ordner ohne Git: Änderungen darin haben keine Geschichte.',
  'folder.has-project-text': 'Seine AGENTS.md wird als Text des Projekts gelesen; sie kann nichts erlauben.',
};
