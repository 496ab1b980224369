/** What came of trying a model, read out when it is there. */
import { Icon } from '../../ui/icon.tsx';
import type { TrialState } from './use-trial.ts';

export function TrialLine({ state: { said } }: { readonly state: TrialState }) {
  return (
    <p className={`trial ${said === undefined ? '' : said.isGood ? 'good' : 'bad'}`} role="status">
      {said === undefined ? null : (
        <>
          <Icon name={said.isGood ? 'check' : 'warn'} />
          <span>{said.text}</span>
        </>
      )}
    </p>
  );
}
