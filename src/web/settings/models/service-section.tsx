/** Services that are connected, and the keys of them: names and where they lie, never what they are. */
import { useEffect, useRef, useState } from 'react';
import type { ConnectedService, ModelSetup } from '../../../contract/model-setup.ts';
import { useFailureWords } from '../../sandbox/userland/use-sandbox.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { type Loaded, useLoaded } from '../use-loaded.ts';
import { useSetupApi } from '../use-setup.ts';

export function ServiceSection({ setup }: { readonly setup: Loaded<ModelSetup> }) {
  const { t } = useWords();
  const secrets = useLoaded(useSetupApi().secrets);
  const services = setup.value?.services.filter(({ source }) => source !== 'machine') ?? [];
  if (services.length === 0) return null;
  return (
    <section className="sect" aria-labelledby="models-services">
      <header>
        <h2 id="models-services">{t('models.services')}</h2>
        <p>{t('models.services-text', { place: secrets.value?.place ?? '…' })}</p>
      </header>
      <ul className="list">
        {services.map((service) => (
          <ServiceRow
            key={service.name}
            service={service}
            isKept={service.keyName !== undefined && secrets.value?.names.includes(service.keyName) === true}
            changed={() => {
              setup.reload();
              secrets.reload();
            }}
          />
        ))}
      </ul>
    </section>
  );
}

function ServiceRow({
  service: { name, host, keyName, hasKey, dialect },
  isKept,
  changed,
}: {
  readonly service: ConnectedService;
  /** In the secret store: a key from the environment cannot be taken away here. */
  readonly isKept: boolean;
  readonly changed: () => void;
}) {
  const { t } = useWords();
  const api = useSetupApi();
  const failureWords = useFailureWords();
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState('');
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    setProblem('');
    try {
      await work();
      setAsking(false);
      changed();
    } catch (error) {
      setProblem(failureWords(error));
    }
  };
  return (
    <li className="service-entry">
      <span className="service-line">
        <span className="grow">
          <b>{name}</b>
          <span className="xs muted local-facts">
            {host} · {dialect}
          </span>
        </span>
        <KeyState needsKey={keyName !== undefined} hasKey={hasKey} isKept={isKept} />
        {keyName === undefined ? null : (
          <Button isSmall aria-expanded={isAsking} onClick={() => setAsking(!isAsking)}>
            {t('models.key-change')}
            <span className="sr"> {keyName}</span>
          </Button>
        )}
      </span>
      {!isAsking || keyName === undefined ? null : (
        <KeyForm
          name={keyName}
          keep={(value) => void attempt(() => api.keepSecret({ name: keyName, value }))}
          forget={isKept ? () => void attempt(() => api.forgetSecret(keyName)) : undefined}
        />
      )}
      <p className="hint bad" role="alert">
        {problem}
      </p>
    </li>
  );
}

function KeyState({
  needsKey,
  hasKey,
  isKept,
}: {
  readonly needsKey: boolean;
  readonly hasKey: boolean;
  readonly isKept: boolean;
}) {
  const { t } = useWords();
  if (!needsKey) return <span className="xs muted">{t('models.needs-no-key')}</span>;
  return (
    <span className={hasKey ? 'badge plain' : 'badge ask'}>
      <Icon name="key" isSmall />
      {t(hasKey ? (isKept ? 'models.key-kept' : 'models.key-environment') : 'models.key-missing')}
    </span>
  );
}

function KeyForm({
  name,
  keep,
  forget,
}: {
  readonly name: string;
  readonly keep: (value: string) => void;
  /** Undefined: none is kept. */
  readonly forget: (() => void) | undefined;
}) {
  const { t } = useWords();
  const field = useRef<HTMLInputElement>(null);
  // What opened it is a press on the button before it.
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className="row wrap"
      onSubmit={(event) => {
        event.preventDefault();
        const value = field.current?.value.trim() ?? '';
        if (value !== '') keep(value);
      }}
    >
      <span className="field grow">
        <Icon name="key" />
        <input ref={field} type="password" autoComplete="off" aria-label={t('models.new-key', { name })} />
      </span>
      <Button type="submit" isSmall look="primary">
        {t('models.save')}
      </Button>
      {forget === undefined ? null : (
        <Button isSmall look="danger" onClick={forget}>
          {t('models.key-forget')}
        </Button>
      )}
    </form>
  );
}
