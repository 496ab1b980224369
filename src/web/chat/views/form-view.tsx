/** A form that a tool describes by its schema: its fields and what they hold. It is filled in where it was asked, not here. */
import { useWords } from '../../words/use-words.ts';
import { exactLine } from '../exact-text.ts';
import { OutputText } from './output-text.tsx';

type Field = { readonly name: string; readonly type: string; readonly text: string; readonly isNeeded: boolean };

export function FormView({ schema }: { readonly schema: unknown }) {
  const { t } = useWords();
  const fields = fieldsOf(schema);
  if (fields.length === 0) return <OutputText text={JSON.stringify(schema, undefined, 2) ?? ''} />;
  return (
    <dl className="pairs">
      {fields.map(({ name, type, text, isNeeded }) => (
        <div key={name}>
          <dt className="mono">{exactLine(name)}</dt>
          <dd>
            <span className="muted">
              {exactLine(type)}
              {isNeeded ? `, ${t('form.needed')}` : ''}
            </span>{' '}
            {exactLine(text)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Of a JSON Schema object; anything else has none. */
function fieldsOf(schema: unknown): readonly Field[] {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return [];
  const needed = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(schema['properties']).map(([name, field]) => {
    const { type, title, description } = isRecord(field) ? field : {};
    const text = [title, description].filter((part) => typeof part === 'string').join(': ');
    return { name, type: typeof type === 'string' ? type : '', text, isNeeded: needed.includes(name) };
  });
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
