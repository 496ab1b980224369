/** What a file looks like. Nothing of it runs with the rights of the app, and nothing of it asks anybody for anything. */
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import type { WebFileText } from '../../contract/web-files.ts';
import type { FilesApi } from '../api/files-api.ts';
import { exactLine } from '../chat/exact-text.ts';
import { TableView } from '../chat/views/table-view.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { useFailureWords } from '../sandbox/userland/use-sandbox.ts';
import { Button } from '../ui/button.tsx';
import { Bones } from '../ui/bones.tsx';
import { Icon } from '../ui/icon.tsx';
import { showBytes } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';
import { endingOf, lookOf, nameOf } from './kind-of-file.ts';
import { readCsv } from './read-csv.ts';
import './viewer.css';

const SolidView = lazy(async () => ({ default: (await import('./solid-view.tsx')).SolidView }));

const maxRows = 1_000;

export type PreviewProps = {
  readonly api: FilesApi;
  readonly path: string;
  /** As it is edited now. Omitted: it is read. */
  readonly text?: string | undefined;
  /** Changes with the content. */
  readonly version?: string;
  /** A page's scripts run at once: somebody opened it to see it work. Omitted: after a press. */
  readonly runsScripts?: boolean;
};

export function FilePreview({ api, path, text, version = '', runsScripts = false }: PreviewProps) {
  const { t } = useWords();
  const name = exactLine(nameOf(path));
  const address = api.address(path, { version });
  switch (lookOf(path)) {
    case 'image':
      return <ImagePreview key={address} address={address} name={name} />;
    case 'pdf':
      return <iframe key={address} className="framed" src={address} title={t('viewer.pdf', { name })} />;
    case 'page':
      return <PagePreview key={address} address={address} name={name} runsScripts={runsScripts} />;
    case 'solid':
      return (
        <Suspense fallback={<Bones label={t('page.loading')} />}>
          <SolidView key={address} address={api.address(path, { isDownload: true })} name={name} />
        </Suspense>
      );
    default:
      return text === undefined ? (
        <ReadPreview key={path} api={api} path={path} />
      ) : (
        <TextPreview path={path} text={text} />
      );
  }
}

function ImagePreview({ address, name }: { readonly address: string; readonly name: string }) {
  const { t } = useWords();
  const [size, setSize] = useState('');
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <p className="empty">{t('viewer.no-image')}</p>;
  return (
    <figure className="pictured">
      <img
        src={address}
        alt={name}
        onError={() => setBroken(true)}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize(`${naturalWidth} × ${naturalHeight}`)}
      />
      <figcaption className="xs muted num">{size}</figcaption>
    </figure>
  );
}

/**
 * Its scripts run in a frame of their own: without an origin, without the network, unable to lead anywhere else. What no policy of
 * a browser stops is a bare connection (WebRTC, preconnect by a script); so a page that is only looked through runs nothing unasked.
 */
function PagePreview({
  address,
  name,
  runsScripts,
}: {
  readonly address: string;
  readonly name: string;
  readonly runsScripts: boolean;
}) {
  const { t } = useWords();
  const [isRunning, setRunning] = useState(runsScripts);
  return (
    <div className="paged">
      <div className="page-note xs muted">
        <Icon name="shield" isSmall />
        <span className="grow">{t(isRunning ? 'viewer.page-note' : 'viewer.page-still')}</span>
        {isRunning ? null : (
          <Button isSmall onClick={() => setRunning(true)}>
            {t('viewer.run')}
          </Button>
        )}
      </div>
      <iframe
        key={String(isRunning)}
        className="framed"
        sandbox={isRunning ? 'allow-scripts' : ''}
        src={address}
        title={t('viewer.page', { name })}
      />
    </div>
  );
}

function ReadPreview({ api, path }: Pick<PreviewProps, 'api' | 'path'>) {
  const { t } = useWords();
  const failureWords = useFailureWords();
  const [read, setRead] = useState<WebFileText>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    api.text(path).then(setRead, (error: unknown) => setProblem(failureWords(error)));
  }, [api, path, failureWords]);
  if (problem !== '') return <p className="empty">{problem}</p>;
  if (read === undefined) return <Bones label={t('page.loading')} />;
  return read.kind === 'text' ? <TextPreview path={path} text={read.text} /> : <NotText read={read} />;
}

export function NotText({ read }: { readonly read: Exclude<WebFileText, { kind: 'text' }> }) {
  const { t } = useWords();
  return (
    <p className="empty">
      {read.kind === 'binary'
        ? t('viewer.binary', { size: showBytes(read.info.bytes) })
        : t('viewer.too-large', { size: showBytes(read.info.bytes), most: showBytes(read.maxBytes) })}
    </p>
  );
}

function TextPreview({ path, text }: { readonly path: string; readonly text: string }) {
  const { t } = useWords();
  const look = lookOf(path);
  const rows = useMemo(
    () => (look === 'table' ? readCsv(text, endingOf(path) === 'tsv' ? '\t' : ',', maxRows) : []),
    [look, path, text],
  );
  if (look === 'markdown') return <Markdown text={text} />;
  if (look === 'table') {
    const [columns = [], ...rest] = rows;
    return <TableView columns={columns} rows={rest} />;
  }
  return (
    <pre
      className="seen-text"
      tabIndex={0}
      role="region"
      aria-label={t('viewer.text', { name: exactLine(nameOf(path)) })}
    >
      {text}
    </pre>
  );
}
