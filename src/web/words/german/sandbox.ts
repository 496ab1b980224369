/** German words of the sandbox view: terminal, files, packages. */
import type { sandboxWords as english } from '../english/sandbox.ts';
import type { Translated } from '../words.ts';

export const sandboxWords: Translated<typeof english> = {
  'sandbox.title': 'Sandbox',
  'sandbox.open': 'Sandbox öffnen',
  'sandbox.close': 'Sandbox schließen',
  'sandbox.parts': 'Teile der Sandbox',
  'sandbox.terminal': 'Terminal',
  'sandbox.files': 'Dateien',
  'sandbox.packages': 'Pakete',
};
