/** All tools with a switch of their own, in groups: found, switched on and off, allowed and denied. */
import { useId, useState } from 'react';
import type { ToolStatus } from '../../../contract/handrail.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { Bones } from '../../ui/bones.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import type { WordKey } from '../../words/words.ts';
import { SettingsFailed } from '../settings-failed.tsx';
import { type PageSettings, useSettings } from '../use-settings.ts';
import { groupTools, type ToolFilter, type ToolGroup } from './group-tools.ts';
import { isClosed, isSwitchedOn, switchKey, ToolCard } from './tool-card.tsx';
import { countOthers, ruleOf } from './tool-rule.ts';
import { useTools } from './use-tools.ts';
import './tools.css';

const filters: readonly ToolFilter[] = ['all', 'on', 'off', 'ruled'];

export function ToolsPage() {
  const { t } = useWords();
  const settings = useSettings();
  const { tools, hasFailed, retry } = useTools();
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<ToolFilter>('all');
  const failure = settings.failure ?? (hasFailed && tools === undefined ? t('chat.failed-offline') : undefined);
  if (failure !== undefined && (tools === undefined || settings.file === undefined)) {
    const again = (): void => {
      settings.retry();
      retry();
    };
    return <SettingsFailed reason={failure} retry={again} />;
  }
  if (tools === undefined || settings.file === undefined) return <Bones label={t('page.loading')} count={8} />;
  const { permissions } = settings.file.wanted;
  const hasRule = (tool: ToolStatus): boolean =>
    ruleOf(permissions, tool) !== undefined || countOthers(permissions, tool) > 0;
  const groups = groupTools(tools, search, filter, hasRule);
  const count = tools.filter((tool) => tool.hasSwitch !== false).length;
  return (
    <>
      <Filters {...{ search, setSearch, filter, setFilter, count }} />
      <p className="lede">
        {t('tools.lede')}{' '}
        <PageLink to={{ page: 'settings', section: 'agent' }} className="">
          {t('tools.families')}
        </PageLink>
      </p>
      {groups.map((each) => (
        <Group key={each.group} {...each} all={tools} settings={settings} />
      ))}
      {groups.length > 0 ? null : (
        <div className="empty" role="status">
          <h2>{t('tools.none')}</h2>
          <Button
            isSmall
            onClick={() => {
              setSearch('');
              setFilter('all');
            }}
          >
            {t('tools.show-all')}
          </Button>
        </div>
      )}
    </>
  );
}

function Filters({
  search,
  setSearch,
  filter,
  setFilter,
  count,
}: {
  readonly search: string;
  readonly setSearch: (search: string) => void;
  readonly filter: ToolFilter;
  readonly setFilter: (filter: ToolFilter) => void;
  readonly count: number;
}) {
  const { t } = useWords();
  return (
    <div className="filters">
      <label className="field grow">
        <span className="sr">{t('tools.search-label')}</span>
        <Icon name="search" />
        <input
          type="search"
          value={search}
          placeholder={t('tools.search', { count })}
          onChange={(event) => setSearch(event.target.value)}
        />
      </label>
      <label className="field">
        <span className="sr">{t('tools.show')}</span>
        <select value={filter} onChange={(event) => setFilter(event.target.value as ToolFilter)}>
          {filters.map((each) => (
            <option key={each} value={each}>
              {t(`tools.filter.${each}`)}
            </option>
          ))}
        </select>
        <Icon name="down" isSmall />
      </label>
    </div>
  );
}

const groupTitles: Readonly<Record<string, WordKey>> = {
  files: 'tools.group.files',
  shell: 'tools.group.shell',
  web: 'tools.group.web',
  system: 'tools.group.system',
  notes: 'tools.group.notes',
  agents: 'tools.group.agents',
};

/** `all`: its tools are counted and switched whole, also those that the search leaves out. */
function Group({
  group,
  tools,
  all,
  settings,
}: ToolGroup & { readonly all: readonly ToolStatus[]; readonly settings: PageSettings }) {
  const { t } = useWords();
  const id = useId();
  const key = groupTitles[group];
  const title = key === undefined ? group.charAt(0).toUpperCase() + group.slice(1) : t(key);
  const whole = all.filter((tool) => tool.group === group && tool.hasSwitch !== false);
  const open = whole.filter((tool) => !isClosed(tool));
  const on = open.filter((tool) => isSwitchedOn(tool, settings));
  const turnsOn = on.length === 0;
  // Also those that something else keeps off now: a tool that belongs to another of the group comes back with it.
  const change = whole.filter((tool) => isSwitchedOn(tool, settings) !== turnsOn);
  return (
    <section className="sect" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <p className="num">{t('tools.on-of', { on: on.length, count: whole.length })}</p>
        <Button
          look="ghost"
          isSmall
          className="end"
          disabled={change.length === 0}
          onClick={() => void settings.change(change.map((tool) => ({ path: switchKey(tool), value: turnsOn })))}
        >
          {t(turnsOn ? 'tools.all-on' : 'tools.all-off')}
          <span className="sr">: {title}</span>
        </Button>
      </header>
      <ul className="grid">
        {tools.map((tool) => (
          <ToolCard key={tool.name} tool={tool} settings={settings} />
        ))}
      </ul>
    </section>
  );
}
