/** What the list of packages shows: the installed ones, or those that fit the word in the search field. */
import { useEffect, useRef, useState, type RefObject } from 'react';
import type { UserlandPackage } from '../../../contract/userland.ts';
import { useFailureWords, type Sandbox } from '../userland/use-sandbox.ts';

export type Packages = {
  /** As it stands in the field. */
  readonly search: string;
  /** What `found` is about. Empty: all that are installed. */
  readonly word: string;
  /** Undefined until it was read. */
  readonly found: readonly UserlandPackage[] | undefined;
  readonly isReading: boolean;
  /** Names. */
  readonly installed: ReadonlySet<string>;
  readonly problem: string;
  /** What scrolls. */
  readonly place: RefObject<HTMLDivElement | null>;
  setSearch(text: string): void;
  reload(): void;
};

/** Each search starts the package manager: not for every key. */
const restMs = 300;

export function usePackages({ api, changes }: Pick<Sandbox, 'api' | 'changes'>): Packages {
  const failureWords = useFailureWords();
  const place = useRef<HTMLDivElement>(null);
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState<{ word: string; found?: readonly UserlandPackage[] }>({ word: '' });
  const [installed, setInstalled] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState('');
  const [isReading, setReading] = useState(true);
  const [reads, setReads] = useState(0);
  const word = search.trim();

  useEffect(() => {
    let isOld = false;
    const read = async (): Promise<void> => {
      setReading(true);
      try {
        const all = await api.packages('');
        const found = word === '' ? all : await api.packages(word);
        if (isOld) return;
        setInstalled(new Set(all.map(({ name }) => name)));
        setShown({ word, found });
        setProblem('');
      } catch (error) {
        if (!isOld) setProblem(failureWords(error));
      }
      if (!isOld) setReading(false);
    };
    const timer = window.setTimeout(() => void read(), word === '' ? 0 : restMs);
    return () => {
      isOld = true;
      window.clearTimeout(timer);
    };
  }, [api, word, changes, reads, failureWords]);

  return {
    ...{ search, word: shown.word, found: shown.found, isReading, installed, problem, place, setSearch },
    reload: () => setReads((count) => count + 1),
  };
}
