/** English words of what can be done with answers: copy, read aloud, export, be told. */
export const answersWords = {
  'export.markdown': 'Export as Markdown',
  'export.json': 'Export as JSON',
} as const;
