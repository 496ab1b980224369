/** One tool: a click anywhere on its card toggles it; its permission and its page lie above that. */
import { useId } from 'react';
import type { ToolStatus } from '../../../contract/handrail.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import type { PageSettings } from '../use-settings.ts';
import { shortDescription } from './group-tools.ts';
import { PermissionPick } from './permission-pick.tsx';

export const switchKey = ({ name }: Pick<ToolStatus, 'name'>): readonly string[] => [`tool_enabled_${name}`];

/** Its own switch, whatever else holds. */
export function isSwitchedOn(tool: ToolStatus, settings: PageSettings): boolean {
  return (settings.value(switchKey(tool)) ?? tool.isSwitchedOff !== true) === true;
}

/** Something else than its switch keeps it off. */
export const isClosed = (tool: ToolStatus): boolean => !tool.isEnabled && tool.isSwitchedOff !== true;

export function ToolCard({ tool, settings }: { readonly tool: ToolStatus; readonly settings: PageSettings }) {
  const { t } = useWords();
  const id = useId();
  const closed = isClosed(tool);
  const problem = settings.problem(switchKey(tool));
  return (
    <li className="tool" data-tool={tool.name}>
      <label>
        <b className="cut" id={`${id}-name`}>
          {tool.title}
        </b>
        <input
          className="switch"
          type="checkbox"
          role="switch"
          name={`tool_enabled_${tool.name}`}
          checked={!closed && isSwitchedOn(tool, settings)}
          disabled={closed || settings.file?.problem !== undefined}
          aria-labelledby={`${id}-name`}
          aria-describedby={`${id}-text ${id}-why`}
          onChange={(event) => void settings.set(switchKey(tool), event.target.checked)}
        />
        <span className="desc" id={`${id}-text`}>
          {shortDescription(tool)}
        </span>
      </label>
      <p className={problem === undefined ? 'why' : 'why bad'} id={`${id}-why`}>
        {problem ?? (closed ? t('tools.closed', { reason: tool.reason }) : '')}
      </p>
      <div className="tool-foot">
        <PermissionPick tool={tool} settings={settings} />
        <PageLink to={{ page: 'tool', tool: tool.name }} className="pick try">
          <Icon name="play" isSmall />
          {t('tools.try')}
          <span className="sr"> {tool.title}</span>
        </PageLink>
      </div>
    </li>
  );
}
