/** Whole families of tools, each with one switch; only those that this version has. */
import type { ToolStatus } from '../../../contract/handrail.ts';
import { useWords } from '../../words/use-words.ts';
import { SwitchRow } from '../switch-row.tsx';
import type { PageSettings } from '../use-settings.ts';

/** By the groups of their tools. */
const families = [
  { feature: 'sandbox', groups: ['shell'] },
  { feature: 'memory', groups: ['memory'] },
  { feature: 'scheduling', groups: ['schedule', 'heartbeat'] },
  { feature: 'email', groups: ['email'] },
  { feature: 'mcp', groups: ['mcp'] },
] as const;

export function FeaturesSection({
  tools,
  settings,
}: {
  readonly tools: readonly ToolStatus[];
  readonly settings: PageSettings;
}) {
  const { t } = useWords();
  const there = families.filter(({ groups }) => tools.some(({ group }) => groups.some((each) => each === group)));
  return (
    <section className="sect" aria-labelledby="agent-features">
      <header>
        <h2 id="agent-features">{t('agent.features')}</h2>
        <p>{t('agent.features-text')}</p>
      </header>
      <ul className="list">
        {there.map(({ feature }) => (
          <SwitchRow
            key={feature}
            settings={settings}
            path={['features', feature]}
            label={t(`agent.feature.${feature}`)}
            hint={t(`agent.feature-text.${feature}`)}
          />
        ))}
      </ul>
    </section>
  );
}
