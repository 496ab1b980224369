/** The packages of a userland: those installed, those that a word finds; each is installed or removed by its button. */
import type { WebSandbox } from '../../../contract/web-sandbox.ts';
import { Bones } from '../../ui/bones.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useWords } from '../../words/use-words.ts';
import type { Sandbox } from '../userland/use-sandbox.ts';
import { InForce } from '../userland/in-force.tsx';
import { PackageRows } from './package-rows.tsx';
import { PackageWork } from './package-work.tsx';
import { usePackages, type Packages } from './use-packages.ts';

export function PackageList({ sandbox, now }: { readonly sandbox: Sandbox; readonly now: WebSandbox }) {
  const { t } = useWords();
  const packages = usePackages(sandbox);
  return (
    <div className="packages">
      <div className="pane-bar" role="search">
        <label className="field grow">
          <span className="sr">{t('packages.search')}</span>
          <Icon name="search" />
          <input
            type="search"
            value={packages.search}
            placeholder={t('packages.search')}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => packages.setSearch(event.target.value)}
          />
        </label>
        <IconButton icon="again" label={t('packages.reload')} onClick={packages.reload} />
      </div>
      <div className="page" ref={packages.place}>
        <div className="page-in narrow">
          <Notices sandbox={sandbox} now={now} />
          <Found packages={packages} sandbox={sandbox} />
        </div>
      </div>
      <PackageWork sandbox={sandbox} />
      <footer className="foot num">
        <span>{now.userland.prettyName}</span>
        <span>{now.userland.packageManager}</span>
        {now.userland.mirror === undefined ? null : <span className="cut">{hostOf(now.userland.mirror)}</span>}
        <span>{t('packages.own-shell')}</span>
      </footer>
    </div>
  );
}

function Notices({ sandbox, now }: { readonly sandbox: Sandbox; readonly now: WebSandbox }) {
  const { t } = useWords();
  const { userland } = now;
  return (
    <>
      {sandbox.problem === '' ? null : (
        <Notice icon="warn" look="bad" role="alert">
          {sandbox.problem}
        </Notice>
      )}
      {userland.notes.map((note) => (
        <Notice key={note} icon="warn" look="ask">
          {note}
        </Notice>
      ))}
      <InForce userland={userland} />
      {userland.packages === 'bare' ? (
        <Notice
          icon="box"
          actions={
            <Button isSmall disabled={sandbox.isWorking} onClick={() => void sandbox.begin({ kind: 'add-basic' })}>
              {t('userland.add-basic')}
            </Button>
          }
        >
          {t('userland.is-bare')}
        </Notice>
      ) : null}
    </>
  );
}

function Found({ packages, sandbox }: { readonly packages: Packages; readonly sandbox: Sandbox }) {
  const { t, counted } = useWords();
  const { found, problem, word, place } = packages;
  const title = t(word === '' ? 'packages.installed' : 'packages.found');
  return (
    <section className="sect" aria-busy={packages.isReading || undefined}>
      <header>
        <h2>{title}</h2>
        {/* Its room is there before it is known. */}
        <p className="num" role="status">
          {found === undefined ? '\u00a0' : counted('packages.count', found.length)}
        </p>
      </header>
      {problem === '' ? null : (
        <Notice
          icon="warn"
          look="bad"
          role="alert"
          actions={
            <Button isSmall onClick={packages.reload}>
              {t('again')}
            </Button>
          }
        >
          {problem}
        </Notice>
      )}
      {found === undefined && problem === '' ? <Bones label={t('packages.reading')} count={8} /> : null}
      {found?.length === 0 && word !== '' ? <p className="empty">{t('packages.nothing-found', { word })}</p> : null}
      {found === undefined || found.length === 0 ? null : (
        <PackageRows
          key={word}
          label={title}
          packages={found}
          installed={packages.installed}
          work={sandbox.progress.work}
          place={place}
          change={(kind, name) => void sandbox.begin({ kind, names: [name] })}
        />
      )}
    </section>
  );
}

const hostOf = (mirror: string): string => (URL.canParse(mirror) ? new URL(mirror).host : mirror);
