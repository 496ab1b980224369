/** German words of what can be done with answers: copy, read aloud, export, be told. */
import type { answersWords as english } from '../english/answers.ts';
import type { Translated } from '../words.ts';

export const answersWords: Translated<typeof english> = {
  'export.markdown': 'Als Markdown exportieren',
  'export.json': 'Als JSON exportieren',
};
