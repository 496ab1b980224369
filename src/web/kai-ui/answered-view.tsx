/** What a person answered on a screen, as their message: the button's words, then what was entered. */
import type { ScreenAnswer } from './screen-answer.ts';
import './kai-ui.css';

export function AnsweredView({ answer }: { readonly answer: ScreenAnswer }) {
  const values = Object.entries(answer.values).map(([name, value]) => [name, shown(value)] as const);
  return (
    <div className="answered">
      {answer.label}
      {values.length === 0 ? null : (
        <dl>
          {values.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

const shown = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value);
