/** Who may do what: grants, rules, when it is asked again, and what nobody can allow. */
import { Bones } from '../../ui/bones.tsx';
import { useWords } from '../../words/use-words.ts';
import { NumberField } from '../number-field.tsx';
import { SettingsFailed } from '../settings-failed.tsx';
import { SwitchRow } from '../switch-row.tsx';
import { useSettings } from '../use-settings.ts';
import { GrantsSection } from './grants-section.tsx';
import { RulesSection } from './rules-section.tsx';
import '../agent/agent.css';
import './permissions.css';

export function PermissionsPage() {
  const { t } = useWords();
  const settings = useSettings();
  if (settings.file === undefined) {
    if (settings.failure !== undefined) return <SettingsFailed reason={settings.failure} retry={settings.retry} />;
    return <Bones label={t('page.loading')} count={8} />;
  }
  return (
    <>
      <GrantsSection />
      <RulesSection settings={settings} file={settings.file} />
      <section className="sect" aria-labelledby="asking-title">
        <header>
          <h2 id="asking-title">{t('permissions.asking')}</h2>
        </header>
        <ul className="list">
          <SwitchRow
            settings={settings}
            path={['permissions', 'askAgainAfterUntrusted']}
            label={t('permissions.ask-again')}
            hint={t('permissions.ask-again-text')}
          />
        </ul>
        <div className="fields">
          <NumberField
            settings={settings}
            path={['permissions', 'grantHours']}
            label={t('permissions.grant-hours')}
            hint={t('permissions.grant-hours-text')}
            unit={t('permissions.hours')}
            step="any"
          />
        </div>
      </section>
      <HardDenials />
    </>
  );
}

const refused = ['credentials', 'metadata', 'state', 'sandbox'] as const;

function HardDenials() {
  const { t } = useWords();
  return (
    <section className="sect" aria-labelledby="refused-title">
      <header>
        <h2 id="refused-title">{t('refused.title')}</h2>
        <p>{t('refused.text')}</p>
      </header>
      <dl className="refused">
        {refused.map((each) => (
          <div key={each}>
            <dt>{t(`refused.${each}`)}</dt>
            <dd>{t(`refused.${each}-text`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
