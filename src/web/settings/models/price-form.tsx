/** Price and window of one model: what Handrail knows, or what the user knows better. */
import { useId, useState, type FormEvent } from 'react';
import type { ModelChoice } from '../../../contract/handrail.ts';
import type { ModelPrice } from '../../../contract/settings.ts';
import type { SettingsEdit } from '../../../contract/settings-file.ts';
import { useApp } from '../../app/use-app.ts';
import { Button } from '../../ui/button.tsx';
import { useWords } from '../../words/use-words.ts';
import type { PageSettings } from '../use-settings.ts';
import { servicesOf } from './model-order.ts';

type Fields = { readonly input: string; readonly output: string; readonly window: string };

export function PriceForm({
  choice: { id, info },
  settings,
  close,
}: {
  readonly choice: ModelChoice;
  readonly settings: PageSettings;
  readonly close: () => void;
}) {
  const { t } = useWords();
  const { fields, setFields, problem, submit, reset, hasOwn, hasService } = usePrice(id, info, settings, close);
  return (
    <form className="stack price" onSubmit={submit}>
      <div className="two-up">
        <NumberInput
          label={t('models.price-in')}
          value={fields.input}
          set={(input) => setFields({ ...fields, input })}
        />
        <NumberInput
          label={t('models.price-out')}
          value={fields.output}
          set={(output) => setFields({ ...fields, output })}
        />
        {!hasService ? null : (
          <NumberInput
            label={t('models.window-label')}
            value={fields.window}
            placeholder={info === undefined ? '' : String(info.contextWindow)}
            set={(window) => setFields({ ...fields, window })}
          />
        )}
      </div>
      <p className="hint">{t(hasOwn ? 'models.price-own' : 'models.price-known')}</p>
      <p className="hint bad" role="alert">
        {problem}
      </p>
      <div className="actions">
        <Button look="primary" type="submit" isSmall>
          {t('models.save')}
        </Button>
        {!hasOwn ? null : (
          <Button isSmall onClick={reset}>
            {t('models.price-reset')}
          </Button>
        )}
      </div>
    </form>
  );
}

/** What is written of the model, and how it is changed. */
function usePrice(id: string, info: ModelChoice['info'], settings: PageSettings, close: () => void) {
  const { t } = useWords();
  const { api, serverState } = useApp();
  const prices = (settings.value(['prices']) ?? {}) as Readonly<Record<string, ModelPrice>>;
  const services = servicesOf(settings);
  const service = services.find((each) => id.startsWith(`${each.service}/`));
  const own = prices[id];
  const [fields, setFields] = useState<Fields>({
    input: String(own?.input ?? info?.price?.input ?? ''),
    output: String(own?.output ?? info?.price?.output ?? ''),
    window: String(service?.contextWindow ?? ''),
  });
  const [problem, setProblem] = useState('');
  const write = async (edits: readonly SettingsEdit[]): Promise<void> => {
    if (await settings.change(edits)) {
      serverState.set(await api.state());
      close();
    } else setProblem(t('models.not-saved'));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const price = readPrice(fields);
    const window = fields.window.trim() === '' ? undefined : Number(fields.window);
    if (price === undefined || (window !== undefined && !(Number.isInteger(window) && window > 0))) {
      setProblem(t('models.not-a-number'));
      return;
    }
    // The user's own come first: the first pattern that fits counts.
    const { [id]: _, ...others } = prices;
    const changed = price === 'none' ? others : { [id]: { ...own, ...price }, ...others };
    const list = services.map((each) => (each === service ? withWindow(each, window) : each));
    void write([
      { path: ['prices'], value: Object.keys(changed).length === 0 ? null : changed },
      ...(service === undefined ? [] : [{ path: ['models'], value: list }]),
    ]);
  };
  const reset = (): void => {
    const { [id]: _, ...others } = prices;
    void write([{ path: ['prices'], value: Object.keys(others).length === 0 ? null : others }]);
  };
  return { fields, setFields, problem, submit, reset, hasOwn: own !== undefined, hasService: service !== undefined };
}

function NumberInput({
  label,
  value,
  placeholder = '',
  set,
}: {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly set: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="lab">
      <label htmlFor={id}>{label}</label>
      <span className="field">
        <input
          id={id}
          inputMode="decimal"
          value={value}
          placeholder={placeholder}
          onChange={(event) => set(event.target.value)}
        />
      </span>
    </div>
  );
}

/** `none`: both are empty. Undefined: one of them is no price. */
function readPrice({ input, output }: Fields): Pick<ModelPrice, 'input' | 'output'> | 'none' | undefined {
  if (input.trim() === '' && output.trim() === '') return 'none';
  const price = { input: Number(input), output: Number(output) };
  const isPrice = (text: string, value: number): boolean => text.trim() !== '' && Number.isFinite(value) && value >= 0;
  return isPrice(input, price.input) && isPrice(output, price.output) ? price : undefined;
}

function withWindow<Service extends { readonly contextWindow?: number }>(service: Service, window: number | undefined) {
  const { contextWindow: _, ...rest } = service;
  return window === undefined ? rest : { ...rest, contextWindow: window };
}
