/** The default model and those to fall back on, in their order; and others that could be used. */
import type { ModelChoice } from '../../../contract/handrail.ts';
import type { WebState } from '../../../contract/web-api.ts';
import { Button } from '../../ui/button.tsx';
import { useWords } from '../../words/use-words.ts';
import type { PageSettings } from '../use-settings.ts';
import { ModelRow } from './model-row.tsx';
import { moved, orderEdits, orderOf } from './model-order.ts';

export function OrderSection({ settings, state }: { readonly settings: PageSettings; readonly state: WebState }) {
  const { t } = useWords();
  const order = orderOf(settings);
  const choiceOf = (id: string): ModelChoice =>
    state.modelChoices.find((each) => each.id === id) ?? { id, source: 'settings' };
  const others = state.modelChoices.filter(({ id }) => !order.includes(id));
  const set = (next: readonly string[]): void => void settings.change(orderEdits(next));
  const problem = settings.problem(['model']);
  const named = state.modelChoices.find(({ source }) => source === 'HANDRAIL_MODEL')?.id;
  const overruled = order.length === 0 || named === order[0] ? undefined : named;
  return (
    <>
      <section className="sect" aria-labelledby="models-order">
        <header>
          <h2 id="models-order">{t('models.order')}</h2>
          <p>{t('models.order-text')}</p>
        </header>
        {order.length === 0 ? (
          <p className="hint">
            {state.model === undefined ? t('models.none') : t('models.chosen-itself', { model: state.model.id })}
          </p>
        ) : (
          <ol className="list">
            {order.map((id, at) => (
              <ModelRow
                key={id}
                choice={choiceOf(id)}
                settings={settings}
                isDefault={at === 0}
                move={{
                  up: at === 0 ? undefined : () => set(moved(order, id, -1)),
                  down: at === order.length - 1 ? undefined : () => set(moved(order, id, 1)),
                  out: () => set(order.filter((each) => each !== id)),
                }}
              />
            ))}
          </ol>
        )}
        {overruled === undefined ? null : <p className="hint">{t('models.overruled', { model: overruled })}</p>}
        <p className="hint bad" role="alert">
          {problem ?? ''}
        </p>
      </section>
      <Others others={others} settings={settings} add={(id) => set([...order, id])} />
    </>
  );
}

function Others({
  others,
  settings,
  add,
}: {
  readonly others: readonly ModelChoice[];
  readonly settings: PageSettings;
  readonly add: (id: string) => void;
}) {
  const { t } = useWords();
  if (others.length === 0) return null;
  return (
    <section className="sect" aria-labelledby="models-others">
      <header>
        <h2 id="models-others">{t('models.others')}</h2>
        <p>{t('models.others-text')}</p>
      </header>
      <ul className="list">
        {others.map((choice) => (
          <ModelRow key={choice.id} choice={choice} settings={settings}>
            <Button isSmall onClick={() => add(choice.id)}>
              {t('models.add')}
              <span className="sr"> {choice.id}</span>
            </Button>
          </ModelRow>
        ))}
      </ul>
    </section>
  );
}
