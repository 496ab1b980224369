/** Picks a folder of the machine: step into one, or write its path. What cannot be a workspace says why. */
import { useCallback, useEffect, useId, useMemo, useRef, useState, type FormEvent } from 'react';
import type { FolderListing } from '../../contract/folders.ts';
import { createSetupApi } from '../api/setup-api.ts';
import { useApp } from '../app/use-app.ts';
import { useFailureWords } from '../sandbox/userland/use-sandbox.ts';
import { useWords } from '../words/use-words.ts';
import { Bones } from './bones.tsx';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import './folder-picker.css';

export function FolderPicker({
  start,
  choose,
  cancel,
  problem = '',
}: {
  /** Where it begins. Undefined: the home folder. */
  readonly start: string | undefined;
  readonly choose: (folder: string) => void;
  /** Omitted: there is no way back to offer. */
  readonly cancel?: () => void;
  /** Why the folder was not taken. */
  readonly problem?: string;
}) {
  const { t, counted } = useWords();
  const id = useId();
  const picker = useFolders(start);
  const { shown } = picker;
  const refusal = shown?.refusal ?? (problem === '' ? undefined : problem);
  return (
    <div className="folder-picker" role="group" aria-label={t('folder.pick')}>
      <PathForm picker={picker} id={id} />
      {shown === undefined ? (
        <Bones label={t('folder.loading')} count={4} />
      ) : (
        <ul className="folders" aria-label={t('folder.in', { folder: shown.path })}>
          {shown.folders.map((name) => (
            <li key={name}>
              <button type="button" className="nav" onClick={() => picker.go(joined(shown.path, name))}>
                <Icon name="folder" />
                <span className="cut" title={name}>
                  {name}
                </span>
                <Icon name="right" />
              </button>
            </li>
          ))}
          {shown.folders.length === 0 ? <li className="hint">{t('folder.empty')}</li> : null}
          {shown.hidden > 0 ? <li className="hint">{counted('folder.more', shown.hidden)}</li> : null}
        </ul>
      )}
      <p className={refusal === undefined ? 'hint' : 'hint bad'} role="status">
        {refusal ?? (shown === undefined ? '' : factsOf(shown, t))}
      </p>
      <div className="actions">
        <Button
          look="primary"
          disabled={shown === undefined || shown.refusal !== undefined}
          onClick={() => shown !== undefined && choose(shown.path)}
        >
          {t('folder.use')}
        </Button>
        {cancel === undefined ? null : <Button onClick={cancel}>{t('folder.cancel')}</Button>}
      </div>
    </div>
  );
}

type Folders = {
  readonly shown: FolderListing | undefined;
  readonly problem: string;
  go(path: string | undefined): void;
};

function useFolders(start: string | undefined): Folders {
  const { request } = useApp();
  const api = useMemo(() => createSetupApi(request), [request]);
  const failureWords = useFailureWords();
  const [shown, setShown] = useState<FolderListing>();
  const [problem, setProblem] = useState('');
  const wanted = useRef(0);
  const go = useCallback(
    (path: string | undefined): void => {
      const mine = (wanted.current += 1);
      setProblem('');
      api.folders(path).then(
        // A slow one must not come after a quick one.
        (listing) => mine === wanted.current && setShown(listing),
        (error: unknown) => mine === wanted.current && setProblem(failureWords(error)),
      );
    },
    [api, failureWords],
  );
  useEffect(() => go(start), [go, start]);
  return { shown, problem, go };
}

function PathForm({ picker, id }: { readonly picker: Folders; readonly id: string }) {
  const { t } = useWords();
  const { shown, problem } = picker;
  const [draft, setDraft] = useState('');
  const up = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const path = shown?.path ?? '';
  useEffect(() => {
    setDraft(path);
    // What was pressed in the list is gone now: the focus stays in the picker.
    if (document.activeElement === document.body && path !== '')
      (up.current?.disabled === true ? field : up).current?.focus();
  }, [path]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    picker.go(draft.trim());
  };
  return (
    <form className="lab" onSubmit={submit}>
      <label htmlFor={id}>{t('folder.path')}</label>
      <span className="row">
        <button
          ref={up}
          type="button"
          className="btn square"
          aria-label={t('folder.up')}
          title={t('folder.up')}
          disabled={shown?.parent === undefined}
          onClick={() => shown?.parent !== undefined && picker.go(shown.parent)}
        >
          <Icon name="up" />
        </button>
        <span className={problem === '' ? 'field grow' : 'field grow invalid'}>
          <Icon name="folder" />
          <input
            ref={field}
            id={id}
            value={draft}
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
            aria-invalid={problem !== '' || undefined}
            aria-describedby={`${id}-problem`}
            onChange={(event) => setDraft(event.target.value)}
          />
        </span>
        <Button type="submit" disabled={draft.trim() === ''}>
          {t('folder.open')}
        </Button>
      </span>
      <span className="hint bad" id={`${id}-problem`} role="alert">
        {problem}
      </span>
    </form>
  );
}

const joined = (folder: string, name: string): string => (folder === '/' ? `/${name}` : `${folder}/${name}`);

function factsOf({ isGit, hasProjectText }: FolderListing, t: ReturnType<typeof useWords>['t']): string {
  return [
    t(isGit ? 'folder.is-git' : 'folder.is-plain'),
    ...(hasProjectText ? [t('folder.has-project-text')] : []),
  ].join(' ');
}
