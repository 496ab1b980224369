/** What lies where, copies of it, and everything that was said as a file. */
import { useState } from 'react';
import type { Backup, StatePlace } from '../../../contract/upkeep.ts';
import { showMoment } from '../../activity/show-moment.ts';
import { useFailureWords } from '../../sandbox/userland/use-sandbox.ts';
import { Bones } from '../../ui/bones.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { showBytes } from '../../words/amounts.ts';
import { useWords } from '../../words/use-words.ts';
import { SettingsFailed } from '../settings-failed.tsx';
import { useLoaded } from '../use-loaded.ts';
import { useSetupApi } from '../use-setup.ts';
import './backup.css';

export function BackupPage() {
  const { t } = useWords();
  const { upkeep } = useSetupApi();
  const { value, problem, reload } = useLoaded(upkeep);
  if (value === undefined)
    return problem === '' ? (
      <Bones label={t('page.loading')} count={8} />
    ) : (
      <SettingsFailed reason={problem} retry={reload} />
    );
  return (
    <>
      <Backups backups={value.backups} changed={reload} />
      <Places places={value.places} />
      <section className="sect" aria-labelledby="backup-export">
        <header>
          <h2 id="backup-export">{t('backup.export')}</h2>
          <p>{t('backup.export-text')}</p>
        </header>
        <div className="actions">
          <a className="btn" href="/api/conversations.jsonl" download>
            <Icon name="load" />
            {t('backup.export-now')}
          </a>
        </div>
      </section>
    </>
  );
}

function Backups({ backups, changed }: { readonly backups: readonly Backup[]; readonly changed: () => void }) {
  const { t } = useWords();
  const api = useSetupApi();
  const failureWords = useFailureWords();
  const [isBusy, setBusy] = useState(false);
  const [made, setMade] = useState<Backup>();
  const [problem, setProblem] = useState('');
  const make = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      setMade(await api.backUp());
      changed();
    } catch (error) {
      setProblem(failureWords(error));
    }
    setBusy(false);
  };
  return (
    <section className="sect" aria-labelledby="backup-copies">
      <header>
        <h2 id="backup-copies">{t('backup.copies')}</h2>
        <p>{t('backup.copies-text')}</p>
      </header>
      <div className="actions">
        <Button look="primary" isBusy={isBusy} onClick={() => void make()}>
          {t('backup.make')}
        </Button>
      </div>
      <p className="hint" role="status">
        {made === undefined ? '' : t('backup.made', { place: made.path, size: showBytes(made.bytes) })}
      </p>
      <p className="hint bad" role="alert">
        {problem}
      </p>
      {backups.length === 0 ? <p className="hint">{t('backup.none')}</p> : <BackupList backups={backups} />}
      <WayBack newest={backups[0]} />
    </section>
  );
}

function BackupList({ backups }: { readonly backups: readonly Backup[] }) {
  const { t } = useWords();
  return (
    <ul className="list">
      {backups.map((backup) => (
        <li key={backup.name} className="backup">
          <Icon name={backup.kind === 'by-hand' ? 'box' : 'clock'} />
          <span className="grow">
            <b className="num">{showMoment(backup.at)}</b>
            <span className="backup-facts">{t(`backup.kind-${backup.kind}`)}</span>
            <code>{backup.path}</code>
          </span>
          <span className="num muted xs">{showBytes(backup.bytes)}</span>
          <CopyButton text={backup.path} label={t('backup.copy-path', { name: backup.name })} />
        </li>
      ))}
    </ul>
  );
}

/** As docs/backups.md says it; of the newest, whose database may lie in a folder. */
function WayBack({ newest }: { readonly newest: Backup | undefined }) {
  const { t } = useWords();
  if (newest === undefined) return null;
  const database = newest.kind === 'by-hand' ? `${newest.path}/handrail.sqlite` : newest.path;
  const folder = newest.path.replace(/\/backups\/[^/]+$/, '');
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const commands = [
    'handrail jobs stop-all',
    `cd ${quoted(folder)}`,
    'mkdir handrail.before && mv handrail.sqlite* handrail.before/',
    `cp ${quoted(database)} handrail.sqlite`,
    'handrail doctor',
  ].join('\n');
  return (
    <details className="way-back">
      <summary>{t('backup.way-back')}</summary>
      <p className="sm">{t('backup.way-back-text')}</p>
      <div className="way-back-commands">
        <pre>{commands}</pre>
        <CopyButton text={commands} label={t('backup.copy-commands')} />
      </div>
    </details>
  );
}

function Places({ places }: { readonly places: readonly StatePlace[] }) {
  const { t } = useWords();
  return (
    <section className="sect" aria-labelledby="backup-places">
      <header>
        <h2 id="backup-places">{t('backup.places')}</h2>
      </header>
      <ul className="list">
        {places.map(({ kind, place, bytes }) => (
          <li key={kind} className="backup">
            <span className="grow">
              <b>{t(`backup.place-${kind}`)}</b>
              <code>{place}</code>
            </span>
            <span className="num muted xs">{bytes === undefined ? t('backup.not-there') : showBytes(bytes)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
