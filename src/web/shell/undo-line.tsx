/** Below the list: what was deleted a moment ago can be taken back; what could not be done says why. */
import { useEffect } from 'react';
import { useApp, useStore } from '../app/use-app.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { useWords } from '../words/use-words.ts';

export function UndoLine() {
  const { t } = useWords();
  const { list } = useApp();
  const { removed, problem } = useStore(list.state);
  useEffect(() => {
    if (removed === undefined) return;
    const timer = window.setTimeout(list.dismiss, Math.max(0, removed.undoUntilMs - Date.now()));
    return () => window.clearTimeout(timer);
  }, [removed, list]);
  return (
    <div className="side-foot" role="status">
      {removed === undefined ? null : (
        <Notice
          icon="trash"
          actions={
            <Button isSmall onClick={() => void list.undo()}>
              {t('undo')}
            </Button>
          }
        >
          {t('list.deleted', {
            title: removed.conversation.title === '' ? t('chat.untitled') : removed.conversation.title,
          })}
        </Notice>
      )}
      {problem === '' ? null : (
        <Notice
          icon="warn"
          look="bad"
          actions={<IconButton icon="x" label={t('shell.close')} isSmall onClick={list.dismiss} />}
        >
          {problem}
        </Notice>
      )}
    </div>
  );
}
