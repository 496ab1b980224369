/** Go anywhere and do anything by typing: conversations, pages, actions. */
import './keys.css';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import type { WebConversation } from '../../contract/web-api.ts';
import { useApp, useStore } from '../app/use-app.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { matchEntries, type Entry } from './match-entries.ts';
import { usePaletteActions } from './use-palette-actions.ts';

export function Palette({ close, showKeys }: { readonly close: () => void; readonly showKeys: () => void }) {
  const { t } = useWords();
  const listId = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const actions = usePaletteActions(showKeys);
  const conversations = useFound(text);
  const entries = matchEntries(text, actions, conversations);
  const chosen = Math.min(at, Math.max(0, entries.length - 1));
  const take = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    close();
    entry.choose();
  };
  const press = (event: KeyboardEvent): void => {
    const to = { ArrowDown: chosen + 1, ArrowUp: chosen - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) take(entries[chosen]);
    else if (to === undefined) return;
    else setAt((to + entries.length) % Math.max(1, entries.length));
    event.preventDefault();
  };
  return (
    <Dialog title={t('palette.title')} hasHead={false} className="palette" close={close}>
      <label className="field">
        <Icon name="search" />
        <input
          // What was asked for a moment ago is to be typed now.
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={entries.length === 0 ? undefined : `${listId}-${chosen}`}
          aria-label={t('palette.field')}
          placeholder={t('palette.field')}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
      </label>
      <EntryList id={listId} entries={entries} chosen={chosen} take={take} />
    </Dialog>
  );
}

function EntryList({
  id,
  entries,
  chosen,
  take,
}: {
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly chosen: number;
  readonly take: (entry: Entry) => void;
}) {
  const { t, counted } = useWords();
  const current = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // It gives a promise in new browsers, which is no way to clean up.
    void current.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen, entries]);
  return (
    <>
      <ul id={id} role="listbox" aria-label={t('palette.title')}>
        {entries.map((entry, index) => (
          <li
            key={entry.id}
            ref={index === chosen ? current : undefined}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(entry)}
          >
            <Icon name={entry.icon} />
            <span className="cut grow">{entry.label}</span>
            <span className="muted xs cut">{entry.detail}</span>
          </li>
        ))}
      </ul>
      {entries.length === 0 ? <p className="side-empty">{t('palette.nothing')}</p> : null}
      <p className="sr" role="status">
        {counted('palette.found', entries.length)}
      </p>
    </>
  );
}

const askedAfterMs = 150;

/** Those of the sidebar at once, the server's when the typing has paused. */
function useFound(text: string): readonly WebConversation[] {
  const { api, list } = useApp();
  const { conversations } = useStore(list.state);
  const [found, setFound] = useState<readonly WebConversation[]>([]);
  useEffect(() => {
    let isOver = false;
    const ask = async (): Promise<void> => {
      const page = await api.conversations.list({ search: text.trim(), limit: 20 });
      if (!isOver) setFound(page.conversations);
    };
    // Without the server those of the sidebar are there.
    const timer = window.setTimeout(() => void ask().catch(() => undefined), text.trim() === '' ? 0 : askedAfterMs);
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, [api, text]);
  const known = new Set(conversations.map((each) => each.id));
  return [...conversations, ...found.filter((each) => !known.has(each.id))];
}
