/** A userland that is there while commands see the machine's own system: says so, and offers to run them in it. */
import type { UserlandStatus } from '../../../contract/userland.ts';
import type { KeyPath } from '../../settings/create-settings-store.ts';
import { PendingNotice } from '../../settings/pending-notice.tsx';
import { useSettings } from '../../settings/use-settings.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useWords } from '../../words/use-words.ts';

const rootPath: KeyPath = ['sandbox', 'root'];

export function InForce({ userland }: { readonly userland: UserlandStatus }) {
  if (userland.isInForce || userland.state !== 'ready') return null;
  return <NotInForce name={userland.prettyName ?? ''} />;
}

function NotInForce({ name }: { readonly name: string }) {
  const { t } = useWords();
  const settings = useSettings();
  const isWanted = settings.file?.wanted.sandbox.root === 'userland';
  if (isWanted) return <PendingNotice />;
  return (
    <Notice
      icon="info"
      look="ask"
      actions={
        <Button isSmall disabled={settings.file === undefined} onClick={() => void settings.set(rootPath, 'userland')}>
          {t('userland.use')}
        </Button>
      }
    >
      <p>{t('userland.not-in-force', { name })}</p>
      <p className="bad" role="alert">
        {settings.problem(rootPath) ?? settings.failure}
      </p>
    </Notice>
  );
}
