/** One of a few, side by side: arrows choose, as in every group of radio buttons. */
import { useId } from 'react';

export type Segment = { readonly value: string; readonly label: string; readonly isDisabled?: boolean };

export function Segments({
  label,
  value,
  options,
  hint,
  problem,
  choose,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Segment[];
  readonly hint: string;
  readonly problem: string | undefined;
  readonly choose: (value: string) => void;
}) {
  const id = useId();
  return (
    <fieldset className="choices" aria-describedby={`${id}-hint`}>
      <legend className="sm">{label}</legend>
      <span className="seg">
        {options.map((each) => (
          <label key={each.value} className={each.isDisabled === true ? 'disabled' : undefined}>
            <input
              type="radio"
              name={id}
              value={each.value}
              checked={each.value === value}
              disabled={each.isDisabled}
              onChange={() => choose(each.value)}
            />
            {each.label}
          </label>
        ))}
      </span>
      <p
        className={problem === undefined ? 'hint' : 'hint bad'}
        id={`${id}-hint`}
        role={problem === undefined ? undefined : 'alert'}
      >
        {problem ?? hint}
      </p>
    </fieldset>
  );
}
