/** German words of the frame of every page: lists, connection, sign-in, the first look. */
import type { frameWords as english } from '../english/frame.ts';
import type { Translated } from '../words.ts';

export const frameWords: Translated<typeof english> = {
  again: 'Noch einmal',
  undo: 'Rückgängig',

  'shell.skip': 'Zum Inhalt',
  'shell.conversations': 'Gespräche',
  'shell.history': 'Verlauf',
  'shell.activity': 'Was geschah',
  'shell.menu': 'Menü',
  'shell.close': 'Schließen',

  'page.loading': 'Die Seite wird geladen',
  'page.failed': 'Diese Seite ist gescheitert',
  'page.failed-text':
    'Der Fehler liegt in der Seite, nicht in dem, was geschah: Läufe gehen weiter, Gesagtes bleibt. Lade sie neu; scheitert sie wieder, melde, was du getan hast.',
  'page.reload': 'Neu laden',
  'page.unknown': 'Diese Seite gibt es nicht',
  'page.unknown-text': 'Die Adresse stammt vielleicht von einer anderen Version, oder sie ist vertippt.',
  'session.title': 'Dieser Browser ist nicht angemeldet',
  'session.text': 'Öffne den Link, den „handrail serve“ beim Start ausgibt. Jeder Link gilt einmal, zehn Minuten lang.',
  'session.has-password': 'Der Server hat ein Passwort',
  'session.password': 'Passwort',
  'session.sign-in': 'Anmelden',

  'list.search': 'Gespräche durchsuchen',
  'list.search-short': 'Suchen',
  'list.pinned': 'Angeheftet',
  'list.today': 'Heute',
  'list.yesterday': 'Gestern',
  'list.week': 'Letzte 7 Tage',
  'list.empty': 'Hier stehen später deine Gespräche.',
  'list.nothing-found': 'Kein Gespräch hat diese Wörter im Titel oder im Ordner.',
  'list.failed': 'Die Liste konnte nicht gelesen werden. Nichts ist verloren.',
  'list.more': 'Ältere zeigen',
  'list.actions': 'Aktionen für {title}',
  'list.rename': 'Umbenennen',
  'list.new-title': 'Neuer Titel',
  'list.pin': 'Anheften',
  'list.unpin': 'Lösen',
  'list.delete': 'Löschen',
  'list.deleted': '„{title}“ wurde gelöscht.',
  'list.asks': 'Wartet auf dich',
  'list.runs': 'Läuft',

  'connection.lost': 'Keine Verbindung. Was läuft, läuft weiter; die Seite holt auf, sobald der Server antwortet.',
  'connection.trying': 'Verbindet…',
  'connection.next-try': 'Nächster Versuch in {seconds} s.',
  'connection.try-now': 'Jetzt versuchen',
  'connection.no-session': 'Dieser Browser ist nicht mehr angemeldet. Öffne einen neuen Link vom Server.',

  'rung.title': 'Befehle laufen in: {rung}. Netz: {network}.',

  'welcome.title': 'Was machen wir?',
  'welcome.text':
    'Gearbeitet wird in einer Sandbox. Was sie verlässt oder deine Arbeit entfernt, fragt vorher und zeigt die genauen Bytes.',
  'welcome.no-model': 'Noch ist kein Modell verbunden. Befehle und Werkzeuge gehen auch ohne. In einem Terminal:',
  'welcome.command': 'führt einen Befehl aus',
  'welcome.tool': 'ruft selbst ein Werkzeug auf',
};
