/** English words of the sandbox view: terminal, files, packages. */
export const sandboxWords = {
  'sandbox.title': 'Sandbox',
  'sandbox.open': 'Open the sandbox',
  'sandbox.close': 'Close the sandbox',
  'sandbox.parts': 'Parts of the sandbox',
  'sandbox.terminal': 'Terminal',
  'sandbox.files': 'Files',
  'sandbox.packages': 'Packages',
} as const;
