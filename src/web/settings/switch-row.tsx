/** One switch of the settings as a row of a list: its name, what it is for, and why it was not taken. */
import { useId } from 'react';
import type { PageSettings } from './use-settings.ts';
import type { KeyPath } from './create-settings-store.ts';

export function SwitchRow({
  settings,
  path,
  label,
  hint,
}: {
  readonly settings: PageSettings;
  readonly path: KeyPath;
  readonly label: string;
  readonly hint: string;
}) {
  const id = useId();
  const problem = settings.problem(path);
  return (
    <li className="switch-row">
      <label htmlFor={id} className="grow">
        <span>{label}</span>
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
        <span className="hint bad" id={`${id}-problem`} role="alert">
          {problem ?? ''}
        </span>
      </label>
      <input
        id={id}
        className="switch"
        type="checkbox"
        role="switch"
        checked={settings.value(path) === true}
        disabled={settings.file?.problem !== undefined}
        aria-describedby={`${id}-hint ${id}-problem`}
        onChange={(event) => void settings.set(path, event.target.checked)}
      />
    </li>
  );
}
