/** What a command printed: its colours, every other control character shown, and how it ended. */
import { Fragment, useState } from 'react';
import type { View } from '../../../contract/output.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useWords } from '../../words/use-words.ts';
import { exactLine } from '../exact-text.ts';
import { ExactPieces } from '../exact-view.tsx';
import { type AnsiStyle, readAnsi } from './ansi.ts';

/** Of each stream; the rest on demand. */
const firstCharacters = 6_000;

export function TerminalView({ view }: { readonly view: Extract<View, { kind: 'terminal' }> }) {
  const { t, counted } = useWords();
  const { command, stdout, stderr, exitCode } = view;
  const isLong = Math.max(stdout.length, stderr.length) > firstCharacters;
  const [isWhole, setWhole] = useState(!isLong);
  const shown = (text: string): string => (isWhole ? text : text.slice(0, firstCharacters));
  const all = stdout === '' || stderr === '' ? `${stdout}${stderr}` : `${stdout.trimEnd()}\n${stderr}`;
  return (
    <>
      <div className="with-copy">
        <pre className="output" tabIndex={0} aria-label={t('step.output')}>
          <span className="command">{exactLine(command)}</span>
          {'\n'}
          <AnsiText text={shown(stdout)} />
          {stderr === '' ? null : (
            <span className="bad">
              {stdout === '' || stdout.endsWith('\n') ? '' : '\n'}
              <AnsiText text={shown(stderr)} />
            </span>
          )}
        </pre>
        {all === '' ? null : <CopyButton text={all} label={t('output.copy')} />}
      </div>
      {isWhole ? null : (
        <Button look="ghost" isSmall className="more" onClick={() => setWhole(true)}>
          {counted('output.all', all.length)}
        </Button>
      )}
      {exitCode === 0 ? null : (
        <p className="xs bad">{exitCode === null ? t('step.no-exit-code') : t('step.exit-code', { code: exitCode })}</p>
      )}
    </>
  );
}

export function AnsiText({ text }: { readonly text: string }) {
  return readAnsi(text.replaceAll('\r\n', '\n')).map((piece, at) => {
    const className = classesOf(piece.style);
    return className === '' ? (
      <Fragment key={at}>
        <ExactPieces text={piece.text} />
      </Fragment>
    ) : (
      <span key={at} className={className}>
        <ExactPieces text={piece.text} />
      </span>
    );
  });
}

function classesOf({ colour, ...marks }: AnsiStyle): string {
  const names: Readonly<Record<keyof typeof marks, string>> = {
    isMarked: 'ansi-marked',
    isBold: 'ansi-bold',
    isDim: 'ansi-dim',
    isItalic: 'ansi-italic',
    isUnderlined: 'ansi-underlined',
    isStruck: 'ansi-struck',
  };
  const on = (Object.keys(names) as (keyof typeof names)[]).filter((name) => marks[name] === true);
  return [...(colour === undefined ? [] : [`ansi-${colour}`]), ...on.map((name) => names[name])].join(' ');
}
