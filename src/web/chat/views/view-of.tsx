/** How people see a result: by the kind of its view, never by the tool's name. */
import type { View } from '../../../contract/output.ts';
import { Icon } from '../../ui/icon.tsx';
import { safeAddress } from '../../markdown/safe-address.ts';
import { useWords } from '../../words/use-words.ts';
import { exactLine } from '../exact-text.ts';
import { DiffView } from './diff-view.tsx';
import { OutputText } from './output-text.tsx';
import { TableView } from './table-view.tsx';

export function ViewOf({ view }: { readonly view: View }) {
  switch (view.kind) {
    case 'text':
      return <OutputText text={view.text} />;
    case 'diff':
      return <DiffView diff={view} />;
    case 'table':
      return <TableView columns={view.columns} rows={view.rows} />;
    case 'files':
      return <FilesView files={view.files} />;
    case 'terminal':
      return <TerminalView view={view} />;
    case 'checklist':
      return <ChecklistView items={view.items} />;
    case 'link':
      return <LinkView url={view.url} title={view.title} />;
    case 'image':
      return <PathView icon="image" path={view.path} words={view.alt} />;
    case 'model3d':
      return <PathView icon="file" path={view.path} words="" />;
    case 'form':
      return <OutputText text={JSON.stringify(view.schema, undefined, 2)} />;
  }
}

function FilesView({ files }: { readonly files: Extract<View, { kind: 'files' }>['files'] }) {
  return (
    <ul className="found">
      {files.map((file, at) => (
        <li key={at}>
          <Icon name="file" isSmall />
          <span className="mono">
            {exactLine(file.path)}
            {file.line === undefined ? null : <span className="muted">:{file.line}</span>}
          </span>
          {file.snippet === undefined ? null : <code className="cut muted">{exactLine(file.snippet)}</code>}
        </li>
      ))}
    </ul>
  );
}

function TerminalView({ view }: { readonly view: Extract<View, { kind: 'terminal' }> }) {
  const { t } = useWords();
  return (
    <>
      <pre className="output" tabIndex={0} aria-label={t('step.output')}>
        <span className="command">{exactLine(view.command)}</span>
        {'\n'}
        {view.stdout}
        {view.stderr === '' ? null : <span className="bad">{view.stderr}</span>}
      </pre>
      {view.exitCode === 0 ? null : (
        <p className="facts">
          <span className="bad">
            {view.exitCode === null ? t('step.no-exit-code') : t('step.exit-code', { code: view.exitCode })}
          </span>
        </p>
      )}
    </>
  );
}

function ChecklistView({ items }: { readonly items: readonly { readonly text: string; readonly status: string }[] }) {
  return (
    <ul className="checklist">
      {items.map((item, at) => {
        const isDone = /^(done|completed)$/.test(item.status);
        return (
          <li key={at}>
            {isDone ? (
              <Icon name="check" isSmall className="ok" />
            ) : (
              <span className={item.status === 'in_progress' ? 'dot live' : 'dot off'} />
            )}
            <span className={isDone ? 'done' : undefined}>{item.text}</span>
            <span className="sr">{item.status}</span>
          </li>
        );
      })}
    </ul>
  );
}

function LinkView({ url, title }: { readonly url: string; readonly title: string }) {
  const safe = safeAddress(url);
  if (safe === undefined) return <OutputText text={`${title}\n${url}`} />;
  return (
    <p className="one-line">
      <Icon name="globe" isSmall />
      <a href={safe.href} target="_blank" rel="noopener noreferrer nofollow">
        {title === '' ? safe.href : title}
      </a>
      <span className="muted">({safe.place})</span>
    </p>
  );
}

function PathView({
  icon,
  path,
  words,
}: {
  readonly icon: 'image' | 'file';
  readonly path: string;
  readonly words: string;
}) {
  return (
    <p className="one-line">
      <Icon name={icon} isSmall />
      <span className="mono">{exactLine(path)}</span>
      <span className="muted">{words}</span>
    </p>
  );
}
