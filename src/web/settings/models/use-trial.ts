/** Tries one model: what it says, or why it does not answer, in words. */
import { useState } from 'react';
import type { ModelTrial, ModelTrialResult } from '../../../contract/model-setup.ts';
import { useFailureWords } from '../../sandbox/userland/use-sandbox.ts';
import { showDuration } from '../../words/amounts.ts';
import { useWords } from '../../words/use-words.ts';
import type { Words } from '../../words/words.ts';
import { useSetupApi } from '../use-setup.ts';

export type TrialState = {
  readonly isBusy: boolean;
  /** Omitted: not tried since the last change. */
  readonly said?: { readonly isGood: boolean; readonly text: string };
};

export type Trials = {
  readonly state: TrialState;
  /** Resolves with whether it answered. */
  run(trial: ModelTrial): Promise<boolean>;
  forget(): void;
};

export function useTrial(): Trials {
  const api = useSetupApi();
  const words = useWords();
  const failureWords = useFailureWords();
  const [state, setState] = useState<TrialState>({ isBusy: false });
  return {
    state,
    forget: () => setState({ isBusy: false }),
    async run(trial) {
      setState({ isBusy: true });
      try {
        const result = await api.tryModel(trial);
        setState({ isBusy: false, said: { isGood: result.isGood, text: trialText(result, words) } });
        return result.isGood;
      } catch (error) {
        setState({ isBusy: false, said: { isGood: false, text: failureWords(error) } });
        return false;
      }
    },
  };
}

export function trialText(result: ModelTrialResult, { t }: Pick<Words, 't'>): string {
  if (result.isGood) return t('models.answered', { time: showDuration(result.totalMs), answer: result.answer });
  switch (result.kind) {
    case 'auth':
      return `${t('models.failed-auth')} ${result.message}`;
    case 'unknown_model':
      return `${t('models.failed-model')} ${result.message}`;
    case 'network':
    case 'timeout':
      return `${t('models.failed-network')} ${result.message}`;
    default:
      return result.message;
  }
}
