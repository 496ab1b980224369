/** Which models answer, in which order, what they cost; and how another one is connected. */
import { useState } from 'react';
import { useApp, useStore } from '../../app/use-app.ts';
import { Bones } from '../../ui/bones.tsx';
import { useWords } from '../../words/use-words.ts';
import { SettingsFailed } from '../settings-failed.tsx';
import { useLoaded } from '../use-loaded.ts';
import { useSettings } from '../use-settings.ts';
import { useSetupApi } from '../use-setup.ts';
import { ConnectForm } from './connect-form.tsx';
import { LocalSection } from './local-section.tsx';
import { OrderSection } from './order-section.tsx';
import { ServiceSection } from './service-section.tsx';
import './models.css';

export function ModelsPage() {
  const { t } = useWords();
  const settings = useSettings();
  const state = useStore(useApp().serverState);
  const setup = useLoaded(useSetupApi().models);
  const [saved, setSaved] = useState('');
  if (settings.file === undefined && settings.failure !== undefined)
    return <SettingsFailed reason={settings.failure} retry={settings.retry} />;
  if (settings.file === undefined || state === undefined) return <Bones label={t('page.loading')} count={8} />;
  const isWaiting = state.pendingConfirmations.length > 0;
  return (
    <>
      <OrderSection settings={settings} state={state} />
      <LocalSection settings={settings} setup={setup} />
      <section className="sect" aria-labelledby="models-connect">
        <header>
          <h2 id="models-connect">{t('models.connect')}</h2>
        </header>
        <ConnectForm
          settings={settings}
          saved={(model) => {
            setSaved(model);
            setup.reload();
          }}
        />
        <p className="hint" role="status">
          {saved === '' ? '' : t(isWaiting ? 'models.saved-waiting' : 'models.saved', { model: saved })}
        </p>
      </section>
      <ServiceSection setup={setup} />
    </>
  );
}
