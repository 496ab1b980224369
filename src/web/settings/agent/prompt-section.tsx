/** What a model is told before a conversation, exactly; the project's own words apart, since they are a stranger's. */
import { useEffect, useState } from 'react';
import type { WebPrompt } from '../../../contract/web-settings.ts';
import { useApp, useStore } from '../../app/use-app.ts';
import { Bones } from '../../ui/bones.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useWords } from '../../words/use-words.ts';

export function PromptSection() {
  const { t } = useWords();
  const { request, live } = useApp();
  const { settingsChanges } = useStore(live.state);
  const [text, setText] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isOver = false;
    request<WebPrompt>('GET', '/api/prompt').then(
      (prompt) => isOver || setText(prompt.text),
      () => isOver || setFailed(true),
    );
    return () => {
      isOver = true;
    };
  }, [request, settingsChanges]);
  const { told = '', project } = splitPrompt(text);
  return (
    <section className="sect" aria-labelledby="agent-prompt">
      <header>
        <h2 id="agent-prompt">{t('agent.prompt')}</h2>
        <p>{t('agent.prompt-text')}</p>
        {text === undefined ? null : (
          <span className="end">
            <CopyButton text={text} label={t('agent.prompt-copy')} />
          </span>
        )}
      </header>
      {text === undefined && !hasFailed ? <Bones label={t('page.loading')} count={5} /> : null}
      {hasFailed && text === undefined ? <p className="hint bad">{t('chat.failed-offline')}</p> : null}
      {text === undefined ? null : (
        <pre className="card prompt" tabIndex={0} aria-labelledby="agent-prompt">
          {told}
        </pre>
      )}
      {project === undefined ? null : (
        <>
          <p className="hint" id="agent-project">
            {t('agent.project')}
          </p>
          <pre className="card prompt" tabIndex={0} aria-labelledby="agent-project">
            {project}
          </pre>
        </>
      )}
    </section>
  );
}

function splitPrompt(text: string | undefined): { readonly told?: string; readonly project?: string } {
  if (text === undefined) return {};
  const [, told, project] = /^([\s\S]*?)\n<project>\n([\s\S]*)\n<\/project>$/.exec(text) ?? [];
  return told === undefined || project === undefined ? { told: text } : { told, project };
}
