/** Any tool, tried by hand: a form made of its schema, and the result as a model would get it. */
import { useEffect, useId, useState } from 'react';
import type { ToolStatus } from '../../contract/handrail.ts';
import { useApp } from '../app/use-app.ts';
import { PageBar } from '../shell/page-bar.tsx';
import { Bones } from '../ui/bones.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { useWords } from '../words/use-words.ts';
import { RunView } from './run-view.tsx';
import { ToolForm } from './tool-form.tsx';
import { useToolForm } from './use-tool-form.ts';
import { useToolRun } from './use-tool-run.ts';
import './tool-page.css';

export function ToolPage({ tool: name }: { readonly tool: string | undefined }) {
  const { t } = useWords();
  const { tools, hasFailed, read } = useTools();
  const tool = tools?.find((each) => each.name === name || (name !== undefined && each.aliases.includes(name)));
  const title = tool?.title ?? t('tool.title');
  useEffect(() => {
    document.title = `${title} · Handrail`;
  }, [title]);
  return (
    <>
      <PageBar title={title} />
      <div className="page">
        <div className="page-in">
          {hasFailed ? (
            <Notice
              icon="warn"
              look="bad"
              role="alert"
              actions={
                <Button isSmall onClick={read}>
                  {t('again')}
                </Button>
              }
            >
              {t('tool.not-read')}
            </Notice>
          ) : tools === undefined ? (
            <Bones label={t('page.loading')} />
          ) : (
            <>
              <Picker tools={tools} chosen={tool?.name} />
              {tool === undefined ? (
                <p className="lede">{name === undefined ? t('tool.choose') : t('tool.unknown', { name })}</p>
              ) : (
                // Another tool is another form.
                <TriedTool key={tool.name} tool={tool} />
              )}
            </>
          )}
        </div>
      </div>
    </>
  );
}

function Picker({ tools, chosen }: { readonly tools: readonly ToolStatus[]; readonly chosen: string | undefined }) {
  const { t } = useWords();
  const { navigation } = useApp();
  const id = useId();
  const groups = [...new Set(tools.map(({ group }) => group))];
  return (
    <div className="lab tool-picker">
      <label htmlFor={id}>{t('tool.pick')}</label>
      <span className="field">
        <Icon name="tool" />
        <select
          id={id}
          value={chosen ?? ''}
          onChange={(event) => navigation.go({ page: 'tool', tool: event.target.value }, { replaces: true })}
        >
          {chosen === undefined ? <option value="">{t('tool.choose-short')}</option> : null}
          {groups.map((group) => (
            <optgroup key={group} label={group}>
              {tools
                .filter((each) => each.group === group)
                .map((each) => (
                  <option key={each.name} value={each.name}>
                    {each.isEnabled ? each.title : t('tool.off', { title: each.title })}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
        <Icon name="down" isSmall />
      </span>
    </div>
  );
}

function TriedTool({ tool }: { readonly tool: ToolStatus }) {
  const form = useToolForm(tool.inputSchema);
  const { run, stop, isRunning, conversationId, outcome, problem } = useToolRun(tool.name);
  return (
    <>
      <div>
        <p className="lede">{tool.description}</p>
        <p className="xs muted mono">{[tool.name, ...tool.aliases].join(', ')}</p>
      </div>
      {tool.isEnabled ? null : (
        <Notice icon="info" look="ask">
          {tool.reason}
        </Notice>
      )}
      <div className="tool-columns">
        <ToolForm
          form={form}
          isRunning={isRunning}
          run={(input) => void run(input, form.asks)}
          stop={() => void stop()}
        />
        <RunView conversationId={conversationId} isRunning={isRunning} outcome={outcome} problem={problem} />
      </div>
    </>
  );
}

function useTools() {
  const { api } = useApp();
  const [tools, setTools] = useState<readonly ToolStatus[]>();
  const [hasFailed, setFailed] = useState(false);
  const read = (): void => {
    setFailed(false);
    api.tools().then(setTools, () => setFailed(true));
  };
  // Once: what is switched meanwhile is told by the run.
  useEffect(read, [api]);
  return { tools, hasFailed, read };
}
