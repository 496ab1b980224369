/** A checklist: what is done, what is under way, what is still to do. */
import type { View } from '../../../contract/output.ts';
import { Icon } from '../../ui/icon.tsx';
import { Dot } from '../../ui/indicator.tsx';
import { useWords } from '../../words/use-words.ts';
import { exactLine } from '../exact-text.ts';
import { stateOf } from './checklist-state.ts';

export function ChecklistView({ items }: { readonly items: Extract<View, { kind: 'checklist' }>['items'] }) {
  const { t } = useWords();
  if (items.length === 0) return <p className="xs muted">{t('checklist.empty')}</p>;
  return (
    <ul className="checklist">
      {items.map((item, at) => {
        const state = stateOf(item.status);
        return (
          <li key={at}>
            <span className="mark">
              {state === 'done' ? (
                <Icon name="check" isSmall className="ok" />
              ) : state === 'cancelled' ? (
                <Icon name="x" isSmall className="muted" />
              ) : (
                <Dot look={state === 'active' ? 'live' : 'off'} />
              )}
            </span>
            <span className={state === 'done' || state === 'cancelled' ? 'done' : undefined}>
              <span className="sr">{t(`checklist.${state}`)}: </span>
              {exactLine(item.text)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
