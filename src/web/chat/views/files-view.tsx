/** Files that were found, each with its lines; a press opens one in the sandbox's Files. */
import { useMemo, useState } from 'react';
import type { View } from '../../../contract/output.ts';
import { useApp } from '../../app/use-app.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { useShortPath } from '../conversation-context.ts';
import { exactLine } from '../exact-text.ts';

type Found = Extract<View, { kind: 'files' }>['files'];

const firstFiles = 50;

export function FilesView({ files }: { readonly files: Found }) {
  const { t, counted } = useWords();
  const groups = useMemo(() => byFile(files), [files]);
  const [isWhole, setWhole] = useState(groups.length <= firstFiles);
  if (groups.length === 0) return <p className="xs muted">{t('files.none')}</p>;
  return (
    <>
      <ul className="found">
        {(isWhole ? groups : groups.slice(0, firstFiles)).map(([path, hits]) => (
          <li key={path}>
            <FileLink path={path} />
            <Hits hits={hits} />
          </li>
        ))}
      </ul>
      {isWhole ? null : (
        <Button look="ghost" isSmall className="more" onClick={() => setWhole(true)}>
          {counted('files.all', groups.length)}
        </Button>
      )}
    </>
  );
}

export function FileLink({ path }: { readonly path: string }) {
  const { t } = useWords();
  const { navigation } = useApp();
  const short = useShortPath();
  return (
    <button
      type="button"
      className="file-link mono"
      title={t('files.open', { path: exactLine(path) })}
      onClick={() => navigation.showFile(path)}
    >
      <Icon name="file" isSmall />
      <span>{exactLine(short(path))}</span>
    </button>
  );
}

function Hits({ hits }: { readonly hits: Found }) {
  const lines = hits.filter(({ line, snippet }) => line !== undefined || snippet !== undefined);
  if (lines.length === 0) return null;
  return (
    <ul className="hits">
      {lines.map(({ line, snippet }, at) => (
        <li key={at}>
          <span className="num muted">{line}</span>
          <code className="cut" title={exactLine(snippet ?? '')}>
            {exactLine(snippet?.trim() ?? '')}
          </code>
        </li>
      ))}
    </ul>
  );
}

/** In the order in which they were found. */
function byFile(files: Found): readonly (readonly [path: string, hits: Found])[] {
  return [...Map.groupBy(files, ({ path }) => path)];
}
