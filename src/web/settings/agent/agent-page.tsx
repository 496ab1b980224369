/** The assistant as a whole: families of tools, the user's own words, how far a turn goes, what it may take. */
import { Bones } from '../../ui/bones.tsx';
import { useWords } from '../../words/use-words.ts';
import { NumberField } from '../number-field.tsx';
import { SettingsFailed } from '../settings-failed.tsx';
import { useTools } from '../tools/use-tools.ts';
import { type PageSettings, useSettings } from '../use-settings.ts';
import { FeaturesSection } from './features-section.tsx';
import { InstructionsSection } from './instructions-section.tsx';
import { PromptSection } from './prompt-section.tsx';
import './agent.css';

export function AgentPage() {
  const { t } = useWords();
  const settings = useSettings();
  const { tools, hasFailed, retry } = useTools();
  const again = (): void => {
    settings.retry();
    retry();
  };
  if (settings.file === undefined && settings.failure !== undefined)
    return <SettingsFailed reason={settings.failure} retry={again} />;
  if (tools === undefined && hasFailed) return <SettingsFailed reason={t('chat.failed-offline')} retry={again} />;
  if (settings.file === undefined || tools === undefined) return <Bones label={t('page.loading')} count={8} />;
  return (
    <>
      <FeaturesSection tools={tools} settings={settings} />
      <InstructionsSection settings={settings} />
      <Limits settings={settings} />
      <Budgets settings={settings} />
      <PromptSection />
    </>
  );
}

function Limits({ settings }: { readonly settings: PageSettings }) {
  const { t } = useWords();
  const limits = [
    ['rounds', t('agent.unit-rounds')],
    ['modelRetries', t('agent.unit-times')],
    ['modelIdleSeconds', t('agent.unit-seconds')],
  ] as const;
  return (
    <section className="sect" aria-labelledby="agent-limits">
      <header>
        <h2 id="agent-limits">{t('agent.limits')}</h2>
        <p>{t('agent.limits-text')}</p>
      </header>
      <div className="fields">
        {limits.map(([key, unit]) => (
          <NumberField
            key={key}
            settings={settings}
            path={['limits', key]}
            label={t(`agent.limit.${key}`)}
            hint={t(`agent.limit-text.${key}`)}
            unit={unit}
            {...(key === 'modelIdleSeconds' ? { usualText: '120' } : {})}
          />
        ))}
      </div>
    </section>
  );
}

function Budgets({ settings }: { readonly settings: PageSettings }) {
  const { t } = useWords();
  return (
    <section className="sect" aria-labelledby="agent-budgets">
      <header>
        <h2 id="agent-budgets">{t('agent.budgets')}</h2>
        <p>{t('agent.budgets-text')}</p>
      </header>
      <div className="fields">
        {(['conversation', 'day'] as const).flatMap((of) => [
          <NumberField
            key={`${of}-usd`}
            settings={settings}
            path={['budgets', of, 'usd']}
            label={t(`agent.budget-usd.${of}`)}
            hint={t('agent.budget-by-prices')}
            unit="$"
            step="any"
          />,
          <NumberField
            key={`${of}-tokens`}
            settings={settings}
            path={['budgets', of, 'tokens']}
            label={t(`agent.budget-tokens.${of}`)}
            hint={t('agent.budget-both')}
            unit={t('agent.unit-tokens')}
          />,
        ])}
      </div>
    </section>
  );
}
