/** Asks for a name: of a new file, of a new folder, or another one. */
import { useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useWords } from '../../words/use-words.ts';

export type NameWish = {
  readonly title: string;
  readonly action: string;
  readonly name: string;
  /** Resolves with what is wrong, empty when it is done. */
  take(name: string): Promise<string>;
};

export function NameDialog({ wish, close }: { readonly wish: NameWish; readonly close: () => void }) {
  const { t } = useWords();
  const id = useId();
  const [name, setName] = useState(wish.name);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    const wanted = name.trim();
    if (wanted === '' || wanted === '.' || wanted === '..' || wanted.includes('/')) {
      setProblem(t('files.bad-name'));
      return;
    }
    setBusy(true);
    const said = await wish.take(wanted);
    setBusy(false);
    setProblem(said);
    if (said === '') close();
  };
  return (
    <Dialog title={wish.title} close={close}>
      <form
        className="stack name-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label className="lab" htmlFor={`${id}-name`}>
          {t('files.name')}
        </label>
        <span className="field">
          <input
            id={`${id}-name`}
            value={name}
            autoComplete="off"
            spellCheck={false}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened for this field
            autoFocus
            aria-invalid={problem !== ''}
            aria-describedby={problem === '' ? undefined : `${id}-problem`}
            onChange={(event) => setName(event.target.value)}
          />
        </span>
        {problem === '' ? null : (
          <p id={`${id}-problem`} className="hint bad" role="alert">
            {problem}
          </p>
        )}
        <div className="actions">
          <Button onClick={close}>{t('files.cancel')}</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {wish.action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
