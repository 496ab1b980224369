/** First step: a model that answers, of this machine or of a service; or none for now. */
import { useState } from 'react';
import type { WebState } from '../../contract/web-api.ts';
import { useApp } from '../app/use-app.ts';
import { ConnectForm } from '../settings/models/connect-form.tsx';
import { orderOf, withModel } from '../settings/models/model-order.ts';
import { useLoaded } from '../settings/use-loaded.ts';
import type { PageSettings } from '../settings/use-settings.ts';
import { useSetupApi } from '../settings/use-setup.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { Step, type StepPlace } from './step.tsx';
import '../settings/models/models.css';

export function ModelStep({
  settings,
  state,
  ...place
}: StepPlace & { readonly settings: PageSettings; readonly state: WebState | undefined }) {
  const { t } = useWords();
  const { api, serverState } = useApp();
  const setup = useLoaded(useSetupApi().models);
  const [isAnother, setAnother] = useState(false);
  const isDone = place.step > 1;
  const model = state?.model;
  const hasModel = model !== undefined && !isAnother;
  const next = (): void => place.go(2);
  const take = async (id: string): Promise<void> => {
    if (!(await settings.change(withModel(orderOf(settings), id)))) return;
    serverState.set(await api.state());
    next();
  };
  const title =
    hasModel || (isDone && model !== undefined) ? 'first.model-done' : isDone ? 'first.model-none' : 'first.model';
  const text = model?.id ?? t(isDone ? 'first.model-none-text' : 'first.model-text');
  const locals = setup.value?.local.flatMap(({ service, models }) => models.map((name) => `${service}/${name}`)) ?? [];
  return (
    <Step number={1} place={place} title={t(title)} text={text}>
      {hasModel ? (
        <div className="actions">
          <Button look="primary" onClick={next}>
            {t('first.next')}
          </Button>
          <Button onClick={() => setAnother(true)}>{t('first.other-model')}</Button>
        </div>
      ) : (
        <>
          {locals.length === 0 ? null : (
            <div className="row wrap">
              {locals.slice(0, 8).map((id) => (
                <Button key={id} onClick={() => void take(id)}>
                  <Icon name="cpu" />
                  {t('first.use-model', { model: id })}
                </Button>
              ))}
            </div>
          )}
          <ConnectForm settings={settings} saved={next} />
          <div className="actions">
            <Button look="ghost" onClick={next}>
              {t('first.later')}
            </Button>
          </div>
        </>
      )}
    </Step>
  );
}
