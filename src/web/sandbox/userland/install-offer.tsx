/** Offers a Linux userland where there is none: which, and how much of it. */
import { useId, useState } from 'react';
import type { UserlandDistribution, UserlandStatus } from '../../../contract/userland.ts';
import type { WebSandboxAction } from '../../../contract/web-sandbox.ts';
import { useApp, useStore } from '../../app/use-app.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/use-words.ts';

const distributions: readonly UserlandDistribution[] = ['alpine', 'debian'];
const sets = ['basic', 'bare'] as const;

export function InstallOffer({
  status,
  isBusy,
  begin,
}: {
  readonly status: UserlandStatus;
  /** Something is being changed already. */
  readonly isBusy: boolean;
  readonly begin: (action: WebSandboxAction) => Promise<void>;
}) {
  const { t } = useWords();
  const usual = useStore(useApp().serverState)?.settings.sandbox.userland.distribution;
  const [chosen, setChosen] = useState<UserlandDistribution>();
  const [set, setSet] = useState<(typeof sets)[number]>('basic');
  const isUnfinished = status.state === 'unfinished';
  const distribution = chosen ?? status.distribution ?? usual ?? 'alpine';
  // What is there and another one is wanted: it goes, by the same button.
  const replaces = status.distribution !== undefined && distribution !== status.distribution;
  const install = (): Promise<void> =>
    begin({ kind: 'install', distribution, isBare: set === 'bare', ...(replaces ? { replaces } : {}) });
  return (
    <form
      className="stack offer"
      onSubmit={(event) => {
        event.preventDefault();
        void install();
      }}
    >
      {isUnfinished ? <p className="warn">{t('userland.unfinished')}</p> : null}
      <Choices
        legend={t('userland.which')}
        value={distribution}
        options={distributions.map((each) => ({ value: each, label: t(`userland.${each}`) }))}
        hint={t(`userland.${distribution}-hint`)}
        choose={setChosen}
      />
      <Choices
        legend={t('userland.how-much')}
        value={set}
        options={sets.map((each) => ({ value: each, label: t(`userland.${each}`) }))}
        hint={t(`userland.${set}-hint`)}
        choose={setSet}
      />
      <div className="actions">
        <Button look="primary" type="submit" disabled={isBusy}>
          <Icon name="load" />
          {t(isUnfinished && !replaces ? 'userland.go-on' : 'userland.install')}
        </Button>
      </div>
    </form>
  );
}

function Choices<Value extends string>({
  legend,
  value,
  options,
  hint,
  choose,
}: {
  readonly legend: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly hint: string;
  readonly choose: (value: Value) => void;
}) {
  const id = useId();
  return (
    <fieldset className="choices" aria-describedby={`${id}-hint`}>
      <legend className="sm">{legend}</legend>
      <span className="seg">
        {options.map((each) => (
          <label key={each.value}>
            <input
              type="radio"
              name={id}
              value={each.value}
              checked={each.value === value}
              onChange={() => choose(each.value)}
            />
            {each.label}
          </label>
        ))}
      </span>
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </fieldset>
  );
}
