/** A fenced block of kai-ui within a text: the screen that it describes, in a frame of its own; as code where it describes none. */
import { useMemo } from 'react';
import { CodeBlock } from '../markdown/code-block.tsx';
import { useWords } from '../words/use-words.ts';
import { NodesView } from './node-view.tsx';
import { parseScreen, type Screen } from './parse-screen.ts';
import { ScreenFormContext, useScreenForm } from './use-screen-form.ts';
import './kai-ui.css';

export function KaiUiBlock({ text }: { readonly text: string }) {
  const screen = useMemo(() => parseScreen(text), [text]);
  return screen === undefined ? <CodeBlock text={text} language="json" /> : <ScreenView screen={screen} />;
}

function ScreenView({ screen }: { readonly screen: Screen }) {
  const { t } = useWords();
  const form = useScreenForm(screen);
  return (
    <section className={form.isFrozen ? 'card kai is-frozen' : 'card kai'} aria-label={screen.title || t('kai.screen')}>
      <ScreenFormContext value={form}>
        <NodesView nodes={screen.nodes} />
      </ScreenFormContext>
      {/* A model's screen never passes for one of ours. */}
      <p className="kai-origin xs muted">{t('kai.by-model')}</p>
    </section>
  );
}
