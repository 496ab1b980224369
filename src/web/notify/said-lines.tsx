/** What calls wanted to say, on the page itself: above everything, until it is put away. */
import { useApp, useStore } from '../app/use-app.ts';
import { exactLine } from '../chat/exact-text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';
import './notify.css';

export function SaidLines() {
  const { t } = useWords();
  const { notifier, navigation } = useApp();
  const { said } = useStore(notifier.state);
  const route = useStore(navigation.route);
  const shown = route.page === 'chat' ? route.conversationId : undefined;
  return (
    <div className="said-lines" role="status" aria-label={t('notify.said')}>
      <ul>
        {said.map(({ id, title, message, conversationId }) => (
          <li key={id}>
            <Icon name="info" />
            <div className="grow">
              <p className="said-title">{exactLine(title)}</p>
              <p>{exactLine(message)}</p>
            </div>
            {conversationId === undefined || conversationId === shown ? null : (
              <Button
                isSmall
                onClick={() => {
                  notifier.putAway(id);
                  navigation.go({ page: 'chat', conversationId });
                }}
              >
                {t('notify.open')}
              </Button>
            )}
            <IconButton icon="x" isSmall label={t('notify.put-away')} onClick={() => notifier.putAway(id)} />
          </li>
        ))}
      </ul>
    </div>
  );
}
