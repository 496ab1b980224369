/** Where a branch begins: the way back to the conversation that it came from. */
import { useEffect, useState } from 'react';
import type { WebConversation } from '../../contract/web-api.ts';
import { useApp } from '../app/use-app.ts';
import { PageLink } from '../shell/page-link.tsx';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';

export function BranchLine({ from }: { readonly from: string }) {
  const { t } = useWords();
  const { api, list } = useApp();
  const [origin, setOrigin] = useState<WebConversation | 'gone'>();
  const known = list.state.get().conversations.find((each) => each.id === from);
  useEffect(() => {
    if (known !== undefined) return;
    void api.conversations.get(from).then(setOrigin, () => setOrigin('gone'));
  }, [api, from, known]);
  const shown = known ?? origin;
  return (
    <p className="note branch-line">
      <Icon name="branch" isSmall />
      <span>
        {shown === 'gone' ? (
          t('branch.gone')
        ) : (
          <>
            {t('branch.from')}{' '}
            <PageLink to={{ page: 'chat', conversationId: from }} className="link">
              {shown === undefined || shown.title === '' ? t('chat.untitled') : shown.title}
            </PageLink>
            .
          </>
        )}{' '}
        {t('branch.about')}
      </span>
    </p>
  );
}
