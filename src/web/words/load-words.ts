/** Which language the page speaks: the one chosen, else the browser's. Only that one is loaded. */
import { english } from './english.ts';
import { createWords, type Words } from './words.ts';

export async function loadWords(wished: readonly string[]): Promise<Words> {
  const language = wished
    .map((each) => each.toLowerCase().split('-')[0])
    .find((each) => each === 'en' || each === 'de');
  if (language !== 'de') return createWords('en', english);
  const { german } = await import('./german.ts');
  return createWords('de', german);
}
