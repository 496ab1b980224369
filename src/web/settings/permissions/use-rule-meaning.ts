/** What a rule says, as the program reads it: asked while it is typed, and for each row. */
import { useEffect, useState } from 'react';
import type { RuleMeaning } from '../../../contract/handrail.ts';
import { queryText, RequestFailure } from '../../api/request.ts';
import { useApp } from '../../app/use-app.ts';
import { useWords } from '../../words/use-words.ts';
import type { Words } from '../../words/words.ts';
import type { RuleList } from './rule-rows.ts';

export type Meaning = { readonly text: string; readonly isWrong: boolean };

/** `waitMs`: while somebody types. Undefined for no text, and until the server has answered. */
export function useRuleMeaning(list: RuleList, rule: string, waitMs = 0): Meaning | undefined {
  const { request } = useApp();
  const words = useWords();
  const [read, setRead] = useState<{ readonly rule: string; readonly meaning: RuleMeaning | string }>();
  const text = rule.trim();
  useEffect(() => {
    if (text === '') return;
    let isOver = false;
    const timer = window.setTimeout(() => {
      request<RuleMeaning>('GET', `/api/rules/meaning${queryText({ rule: text })}`).then(
        (meaning) => isOver || setRead({ rule: text, meaning }),
        (error: unknown) => {
          if (!isOver && error instanceof RequestFailure && error.message !== '')
            setRead({ rule: text, meaning: error.message });
        },
      );
    }, waitMs);
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, [request, text, waitMs]);
  if (text === '' || read?.rule !== text) return undefined;
  if (typeof read.meaning === 'string') return { text: read.meaning, isWrong: true };
  return { text: sentenceOf(words, list, read.meaning), isWrong: false };
}

const maxNamed = 3;

function sentenceOf({ t, counted }: Words, list: RuleList, { tools, argument, kind }: RuleMeaning): string {
  const [first] = tools;
  const named =
    first === undefined
      ? t('rules.no-tool')
      : tools.length <= maxNamed
        ? tools.join(', ')
        : counted('rules.tools', tools.length);
  const what =
    argument === undefined
      ? t('rules.every-call', { tools: named })
      : t(`rules.calls-with-${kind ?? 'any'}`, { tools: named, argument });
  return t(`rules.means-${list}`, { what });
}
