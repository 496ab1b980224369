/** The words of the page's language, for components. */
import { createContext, useContext } from 'react';
import { english } from './english.ts';
import { createWords, type Words } from './words.ts';

export const WordsContext = createContext<Words>(createWords('en', english));

export const useWords = (): Words => useContext(WordsContext);
