/** German words of the sandbox page of the settings, and of what waits for a yes. */
import type { sandboxPageWords as english } from '../english/sandbox-page.ts';
import type { Translated } from '../words.ts';

export const sandboxPageWords: Translated<typeof english> = {
  'settings.page.sandbox': 'Sandbox',
  'confirm.title': 'Das wartet auf dein Ja: Befehle dürfen dann mehr als jetzt.',
  'confirm.no-sandbox': 'Befehle ohne Sandbox ausführen?',
  'confirm.no-sandbox-text':
    'Befehle liefen dann auf diesem Rechner selbst, mit allen deinen Rechten: deine Dateien, deine Schlüssel, dein Netz.',
  'confirm.yes': 'In Kraft setzen',
  'confirm.leave': 'Sandbox verlassen',
  'confirm.take-back': 'Zurücknehmen',

  'sandbox-page.lede':
    'Befehle von Modellen und von dir laufen hinter einer Wand. Hier sagst du, hinter welcher, mit welchem System, und wie weit sie reichen.',
  'sandbox-page.ladder': 'Wo Befehle laufen',
  'sandbox-page.ladder-hint': 'die stärkste zuerst',
  'sandbox-page.in-force': 'in Gebrauch',
  'sandbox-page.chosen': 'gewählt, nicht bereit',
  'sandbox-page.use': 'Verwenden',
  'sandbox-page.use-host': 'Zur nativen Shell wechseln',
  'sandbox-page.missing': 'Nicht gefunden. So kommt es her:',
  'sandbox-page.rung.namespaces': 'Eigene Prozesse, Dateien, Benutzer und eigenes Netz',
  'sandbox-page.rung.namespaces-shared-network': 'Dasselbe, aber mit dem Netz dieses Rechners und seinen Diensten',
  'sandbox-page.rung.container': 'Ein Container von podman oder docker',
  'sandbox-page.rung.proot': 'Eine andere Sicht auf die Dateien, keine Wand: keine Abschottung',
  'sandbox-page.rung.host': 'Die native Shell: auf diesem Rechner selbst, mit allen deinen Rechten',

  'sandbox-page.system': 'System',
  'sandbox-page.root': 'Befehle sehen',
  'sandbox-page.root.host-view': 'Das System dieses Rechners, nur zum Lesen',
  'sandbox-page.root.userland': 'Ein eigenes Linux-System',
  'sandbox-page.root-hint': 'Das Home der Befehle und der Arbeitsordner sind in beiden dieselben.',
  'sandbox-page.root-missing': 'Ein eigenes Linux-System hat eine Paketverwaltung. Es muss erst installiert werden.',
  'sandbox-page.host-no-install': 'Ohne Sandbox wäre es nicht zu gebrauchen. Wähle zuerst oben eine Stufe.',
  'sandbox-page.fact.system': 'Installiert',
  'sandbox-page.fact.packages': 'Pakete',
  'sandbox-page.fact.from': 'Von',
  'sandbox-page.fact.installed': 'Seit',
  'sandbox-page.fact.place': 'In',
  'sandbox-page.ask.reset':
    'Ein frisches System einsetzen? Pakete, die du dazugenommen hast, gehen, und jede Shell, jede Aufgabe und jedes Terminal darin endet. Das lässt sich nicht rückgängig machen.',
  'sandbox-page.ask.uninstall':
    'Das Linux-System entfernen? Seine Pakete gehen, und jede Shell, jede Aufgabe und jedes Terminal darin endet. Das Home der Befehle bleibt. Das lässt sich nicht rückgängig machen.',
  'sandbox-page.with-home': 'Auch das Home der Befehle leeren',
  'sandbox-page.keep': 'Behalten',

  'sandbox-page.network': 'Netz',
  'sandbox-page.mode': 'Befehle erreichen',
  'sandbox-page.mode.off': 'Nichts',
  'sandbox-page.mode.allow-list': 'Erlaubte Hosts',
  'sandbox-page.mode.on': 'Jeden öffentlichen Host',
  'sandbox-page.mode-hint.off': 'Keine Verbindung verlässt die Sandbox.',
  'sandbox-page.mode-hint.allow-list':
    'Die Hosts, die die Paketverwaltungen dieses Rechners benutzen, und die unten genannten. Nach jedem anderen wird einmal je Gespräch gefragt.',
  'sandbox-page.mode-hint.on': 'Private, lokale und Metadaten-Adressen bleiben gesperrt.',
  'sandbox-page.allow': 'Erlaubte Hosts',
  'sandbox-page.allow-hint': 'Je Zeile einer. Ohne Frage erreichbar.',
  'sandbox-page.deny': 'Gesperrte Hosts',
  'sandbox-page.deny-hint': 'Je Zeile einer. Nie erreichbar, was auch sonst gilt.',
  'sandbox-page.hosts-example': 'example.org\n*.example.net',

  'sandbox-page.limits': 'Grenzen',
  'sandbox-page.limits-hint': 'einer Shell, eines Befehls, einer Aufgabe; leer: wie üblich',
  'sandbox-page.limit-usual': 'von selbst',
  'sandbox-page.limit.memoryMegabytes': 'Speicher, MB',
  'sandbox-page.limit.processes': 'Prozesse',
  'sandbox-page.limit.cpus': 'Prozessoren',
  'sandbox-page.limit.openFiles': 'Offene Dateien',
  'sandbox-page.limit.fileMegabytes': 'Größte Datei, MB',
  'sandbox-page.limit.diskMegabytes': 'Zuwachs, MB',
  'sandbox-page.limit.files': 'Neue Dateien',
  'sandbox-page.limit.freeMegabytes': 'Platte frei, MB',
  'sandbox-page.limit.freeFiles': 'Dateien frei',
  'sandbox-page.held-by': 'Was diese Grenzen auf diesem Rechner hält',
};
