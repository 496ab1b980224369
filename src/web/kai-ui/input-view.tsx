/** The inputs of a screen. They look like ours and stand in the screen's frame. */
import { useId, type ReactNode } from 'react';
import { Icon } from '../ui/icon.tsx';
import type { InputNode, InputValue } from './screen-node.ts';
import { useForm } from './use-screen-form.ts';

export function InputView({ input }: { readonly input: InputNode }) {
  const form = useForm();
  const value = form.valueOf(input);
  const enter = (next: InputValue): void => form.enter(input.id, next);
  const rest = { value, enter, isFrozen: form.isFrozen };
  switch (input.type) {
    case 'text_input':
      return <TextInput input={input} {...rest} />;
    case 'checkbox':
    case 'switch':
      return (
        <label className="row sm">
          <input
            type="checkbox"
            className={input.type === 'switch' ? 'switch' : undefined}
            role={input.type === 'switch' ? 'switch' : undefined}
            checked={value === true}
            disabled={form.isFrozen}
            onChange={(event) => enter(event.target.checked)}
          />
          <span>
            {input.label}
            {input.hint === '' ? null : <span className="hint"> {input.hint}</span>}
          </span>
        </label>
      );
    case 'select':
      return <SelectInput input={input} {...rest} />;
    case 'radio_group':
      return <RadioInput input={input} {...rest} />;
    case 'chip_group':
      return <ChipInput input={input} {...rest} />;
    case 'slider':
      return <SliderInput input={input} {...rest} />;
  }
}

type InputProps<Type extends InputNode['type']> = {
  readonly input: Extract<InputNode, { type: Type }>;
  readonly value: InputValue;
  readonly enter: (value: InputValue) => void;
  readonly isFrozen: boolean;
};

function Labelled({ input, children }: { readonly input: InputNode; readonly children: ReactNode }) {
  return (
    <label className="lab">
      <span>{input.label}</span>
      {children}
      {input.hint === '' ? null : <span className="hint">{input.hint}</span>}
    </label>
  );
}

function TextInput({ input, value, enter, isFrozen }: InputProps<'text_input'>) {
  const shared = {
    value: String(value),
    placeholder: input.placeholder,
    disabled: isFrozen,
    // What one browser remembers of one screen is of no use to another.
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => enter(event.target.value),
  };
  return (
    <Labelled input={input}>
      <span className="field">
        {input.isLong ? (
          <textarea rows={3} {...shared} />
        ) : (
          <input type={input.kind === 'number' ? 'text' : input.kind} inputMode={modeOf(input.kind)} {...shared} />
        )}
      </span>
    </Labelled>
  );
}

/** A field of the type "number" throws away what it does not take. */
const modeOf = (kind: string) => (kind === 'number' ? 'decimal' : undefined);

function SelectInput({ input, value, enter, isFrozen }: InputProps<'select' | 'radio_group'>) {
  return (
    <Labelled input={input}>
      <span className="field">
        <select value={String(value)} disabled={isFrozen} onChange={(event) => enter(event.target.value)}>
          {input.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="down" isSmall />
      </span>
    </Labelled>
  );
}

function RadioInput({ input, value, enter, isFrozen }: InputProps<'select' | 'radio_group'>) {
  const name = useId();
  return (
    <fieldset className="lab" disabled={isFrozen}>
      <legend>{input.label}</legend>
      <div className="kai-choices">
        {input.options.map((option) => (
          <label key={option.value} className="row sm">
            <input type="radio" name={name} checked={value === option.value} onChange={() => enter(option.value)} />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function ChipInput({ input, value, enter, isFrozen }: InputProps<'chip_group'>) {
  const chosen: readonly string[] = Array.isArray(value) ? value : [];
  const press = (option: string): void => {
    if (chosen.includes(option)) enter(chosen.filter((each) => each !== option));
    else enter(input.isMultiple ? [...chosen, option] : [option]);
  };
  return (
    <fieldset className="lab" disabled={isFrozen}>
      <legend>{input.label}</legend>
      <div className="row wrap">
        {input.options.map((option) => (
          <button
            key={option.value}
            type="button"
            className="btn small"
            aria-pressed={chosen.includes(option.value)}
            disabled={isFrozen}
            onClick={() => press(option.value)}
          >
            {chosen.includes(option.value) ? <Icon name="check" isSmall /> : null}
            {option.label}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

function SliderInput({ input, value, enter, isFrozen }: InputProps<'slider'>) {
  const { min, max, step, unit } = input;
  return (
    <label className="lab">
      <span className="row">
        {input.label}
        <output className="end num muted">{unit === '' ? String(value) : `${String(value)} ${unit}`}</output>
      </span>
      <input
        type="range"
        {...{ min, max, step }}
        value={Number(value)}
        disabled={isFrozen}
        onChange={(event) => enter(Number(event.target.value))}
      />
    </label>
  );
}
