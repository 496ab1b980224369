/** Something that a page reads from the server when it opens, and again when asked. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { useFailureWords } from '../sandbox/userland/use-sandbox.ts';

export type Loaded<Value> = {
  /** Undefined until it was read. */
  readonly value: Value | undefined;
  /** Why it could not be read. Empty: it could. */
  readonly problem: string;
  readonly isLoading: boolean;
  reload(): void;
};

/** `load` must stay the same as long as what it reads does. */
export function useLoaded<Value>(load: () => Promise<Value>): Loaded<Value> {
  const failureWords = useFailureWords();
  const [value, setValue] = useState<Value>();
  const [problem, setProblem] = useState('');
  const [isLoading, setLoading] = useState(true);
  const newest = useRef(0);
  const reload = useCallback((): void => {
    const mine = (newest.current += 1);
    setLoading(true);
    setProblem('');
    void load()
      .then(
        (read) => mine === newest.current && setValue(read),
        (error: unknown) => mine === newest.current && setProblem(failureWords(error)),
      )
      .finally(() => mine === newest.current && setLoading(false));
  }, [load, failureWords]);
  useEffect(reload, [reload]);
  return { value, problem, isLoading, reload };
}
