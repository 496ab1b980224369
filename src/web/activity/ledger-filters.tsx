/** The filters of the ledger: text, who, tool, outcome, chat, time. */
import { useEffect, useState, type ReactNode } from 'react';
import type { ToolStatus } from '../../contract/handrail.ts';
import { useApp, useStore } from '../app/use-app.ts';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { origins, periods, readView, states, viewQuery, withoutEmpty, type LedgerView } from './ledger-filter.ts';

/** A letter more is not worth a question to the database yet. */
const restMs = 300;

export function LedgerFilters({
  tools,
  view,
  choose,
}: {
  readonly tools: readonly ToolStatus[];
  readonly view: LedgerView;
  readonly choose: (view: LedgerView) => void;
}) {
  const { t } = useWords();
  // By way of the address, so that what stands in it is what is in force.
  const change = (part: Partial<Record<keyof LedgerView, string>>): void => {
    const { call, conversation, ...others } = view;
    // Who chooses a filter wants more than the one call that a link has named.
    const rest = call === undefined && conversation !== undefined ? { ...others, conversation } : others;
    choose(readView(viewQuery(withoutEmpty({ ...rest, ...part } as LedgerView))));
  };
  return (
    <div className="filters" role="search" aria-label={t('activity.filters')}>
      <TextFilter text={view.text ?? ''} change={(text) => change({ text })} />
      <Choice label={t('activity.anyone')} value={view.origin} change={(origin) => change({ origin })}>
        {origins.map((each) => (
          <option key={each} value={each}>
            {t(`activity.origin.${each}`)}
          </option>
        ))}
      </Choice>
      <Choice label={t('activity.any-tool')} value={view.tool} change={(tool) => change({ tool })}>
        {tools.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
        {view.tool === undefined || tools.some(({ name }) => name === view.tool) ? null : (
          <option value={view.tool}>{view.tool}</option>
        )}
      </Choice>
      <Choice label={t('activity.any-state')} value={view.state} change={(state) => change({ state })}>
        {states.map((each) => (
          <option key={each} value={each}>
            {t(`activity.state.${each}`)}
          </option>
        ))}
      </Choice>
      <ChatFilter value={view.conversation} change={(conversation) => change({ conversation })} />
      <Choice label="" name={t('activity.time')} value={view.period ?? 'today'} change={(period) => change({ period })}>
        {periods.map((each) => (
          <option key={each} value={each}>
            {t(`activity.period.${each}`)}
          </option>
        ))}
      </Choice>
    </div>
  );
}

function ChatFilter({
  value,
  change,
}: {
  readonly value: string | undefined;
  readonly change: (conversation: string) => void;
}) {
  const { t } = useWords();
  const { conversations } = useStore(useApp().list.state);
  const isUnlisted = value !== undefined && !conversations.some(({ id }) => id === value);
  return (
    <Choice label={t('activity.any-chat')} value={value} change={change}>
      {conversations.map(({ id, title }) => (
        <option key={id} value={id}>
          {title === '' ? t('chat.untitled') : title}
        </option>
      ))}
      {isUnlisted ? <option value={value}>{t('activity.this-chat')}</option> : null}
    </Choice>
  );
}

function TextFilter({ text, change }: { readonly text: string; readonly change: (text: string) => void }) {
  const { t } = useWords();
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed === text) return;
    const timer = window.setTimeout(() => change(typed), restMs);
    return () => window.clearTimeout(timer);
  });
  return (
    <label className="field grow">
      <span className="sr">{t('activity.search')}</span>
      <Icon name="search" />
      <input
        type="search"
        value={typed}
        placeholder={t('activity.search-short')}
        maxLength={200}
        onChange={(event) => setTyped(event.target.value)}
      />
    </label>
  );
}

/** `label`: what stands there while nothing is chosen. Empty: something always is. */
function Choice({
  label,
  name = label,
  value = '',
  change,
  children,
}: {
  readonly label: string;
  readonly name?: string;
  readonly value?: string | undefined;
  readonly change: (value: string) => void;
  readonly children: ReactNode;
}) {
  return (
    <label className="field choice-field">
      <span className="sr">{name}</span>
      <select value={value} onChange={(event) => change(event.target.value)}>
        {label === '' ? null : <option value="">{label}</option>}
        {children}
      </select>
      <Icon name="down" isSmall />
    </label>
  );
}
