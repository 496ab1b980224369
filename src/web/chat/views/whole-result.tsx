/** A result that was too long, page by page: it is kept whole by the server, and read when somebody wants to. */
import { useState } from 'react';
import type { ArtifactReference } from '../../../contract/output.ts';
import type { WebArtifactPage } from '../../../contract/web-api.ts';
import { queryText, RequestFailure } from '../../api/request.ts';
import { useApp } from '../../app/use-app.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { showBytes } from '../../words/amounts.ts';
import { useWords } from '../../words/use-words.ts';
import { AnsiText } from './terminal-view.tsx';

const pageCharacters = 40_000;

export function WholeResult({ artifact }: { readonly artifact: ArtifactReference }) {
  const { t } = useWords();
  const { request } = useApp();
  const [text, setText] = useState('');
  const [next, setNext] = useState<number | undefined>(0);
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState('');
  const read = async (): Promise<void> => {
    setReading(true);
    setProblem('');
    try {
      const query = queryText({ offset: next, limit: pageCharacters });
      const path = `/api/artifacts/${encodeURIComponent(artifact.id)}${query}`;
      const page = await request<WebArtifactPage>('GET', path);
      setText((before) => before + page.text);
      setNext(page.nextOffset);
    } catch (error) {
      setProblem(error instanceof RequestFailure && error.message !== '' ? error.message : t('chat.failed-offline'));
    }
    setReading(false);
  };
  return (
    <>
      {text === '' ? null : (
        <pre className="output whole" tabIndex={0} aria-label={t('whole.label')}>
          <AnsiText text={text} />
        </pre>
      )}
      {next === undefined ? null : (
        <Button look="ghost" isSmall className="more" isBusy={isReading} onClick={() => void read()}>
          {next === 0 ? t('whole.show', { size: showBytes(artifact.bytes) }) : t('whole.more')}
        </Button>
      )}
      <a
        className="btn ghost small"
        href={`/api/files/raw${queryText({ path: artifact.path, download: '1' })}`}
        download
      >
        <Icon name="load" />
        {t('files.download')}
      </a>
      {problem === '' ? null : (
        <p className="xs bad" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
