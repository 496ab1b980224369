/** One page of the settings, below its bar. Which there are stands in sections.ts; the list of them is the sidebar. */
import { Suspense, useEffect } from 'react';
import { PageBar } from '../shell/page-bar.tsx';
import { Bones } from '../ui/bones.tsx';
import { useWords } from '../words/use-words.ts';
import { PendingNotice } from './pending-notice.tsx';
import { sections } from './sections.ts';

export function SettingsPage({ section }: { readonly section: string | undefined }) {
  const { t } = useWords();
  const current = sections.find((each) => each.id === section) ?? sections[0];
  const title = current === undefined ? '' : t(current.title);
  useEffect(() => {
    document.title = `${title} · Handrail`;
  }, [title]);
  if (current === undefined) return null;
  return (
    <>
      <PageBar title={title} />
      <div className="page">
        <div className="page-in">
          <Suspense fallback={<Bones label={t('page.loading')} />}>
            <current.Page />
          </Suspense>
        </div>
      </div>
      {/* Below the page, so that nothing moves under the pointer when it comes. */}
      <div className="docked-notices">
        <PendingNotice />
      </div>
    </>
  );
}
