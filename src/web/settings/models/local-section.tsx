/** Model servers that answer on this machine, each model one press away. */
import type { FoundModelServer, ModelSetup } from '../../../contract/model-setup.ts';
import { useApp } from '../../app/use-app.ts';
import { Bones } from '../../ui/bones.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { SettingsFailed } from '../settings-failed.tsx';
import type { Loaded } from '../use-loaded.ts';
import type { PageSettings } from '../use-settings.ts';
import { orderOf, withModel } from './model-order.ts';

const names = { ollama: 'Ollama', llamacpp: 'llama.cpp', lmstudio: 'LM Studio' } as const;

export function LocalSection({
  settings,
  setup,
}: {
  readonly settings: PageSettings;
  readonly setup: Loaded<ModelSetup>;
}) {
  const { t } = useWords();
  const { api, serverState } = useApp();
  const order = orderOf(settings);
  const add = async (id: string): Promise<void> => {
    if (await settings.change(withModel(order, id))) serverState.set(await api.state());
  };
  return (
    <section className="sect" aria-labelledby="models-local">
      <header>
        <h2 id="models-local">{t('models.local')}</h2>
        <p>{t('models.local-text')}</p>
        <Button
          look="ghost"
          isSmall
          className="end"
          isBusy={setup.isLoading && setup.value !== undefined}
          onClick={setup.reload}
        >
          <Icon name="again" />
          {t('models.look-again')}
        </Button>
      </header>
      {setup.problem === '' ? null : <SettingsFailed reason={setup.problem} retry={setup.reload} />}
      {setup.value === undefined ? (
        setup.problem === '' ? (
          <Bones label={t('page.loading')} count={2} />
        ) : null
      ) : (
        <ul className="list">
          {Object.entries(names).map(([service, name]) => (
            <LocalServer
              key={service}
              name={name}
              found={setup.value?.local.find((each) => each.service === service)}
              order={order}
              add={(id) => void add(id)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function LocalServer({
  name,
  found,
  order,
  add,
}: {
  readonly name: string;
  readonly found: FoundModelServer | undefined;
  readonly order: readonly string[];
  readonly add: (id: string) => void;
}) {
  const { t } = useWords();
  return (
    <li className="local">
      <span className={found === undefined ? 'dot off' : 'dot'} aria-hidden="true" />
      <span className="grow">
        <b>{name}</b>
        <span className="xs muted local-facts">
          {found === undefined ? t('models.nothing-answers') : new URL(found.baseUrl).host}
        </span>
      </span>
      <span className="local-models">
        {found?.models.map((model) =>
          order.includes(`${found.service}/${model}`) ? (
            <span key={model} className="badge plain">
              <Icon name="check" isSmall />
              {model}
            </span>
          ) : (
            <Button key={model} isSmall onClick={() => add(`${found.service}/${model}`)}>
              {t('models.add')} {model}
            </Button>
          ),
        )}
      </span>
    </li>
  );
}
