/** Above the composer: what waits for the end of the turn that runs. Each can be changed or removed until it is sent. */
import { useState, type FormEvent, type KeyboardEvent } from 'react';
import type { WebQueuedMessage } from '../../../contract/web-api.ts';
import { useApp, useStore } from '../../app/use-app.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useWords } from '../../words/use-words.ts';
import { useKeptQueue } from './use-kept-queue.ts';

export function QueueList({
  conversationId,
  attempt,
}: {
  readonly conversationId: string;
  readonly attempt: (action: () => Promise<unknown>) => Promise<boolean>;
}) {
  const { t, counted } = useWords();
  const { api, live } = useApp();
  const queue = useStore(live.state).queues.get(conversationId);
  useKeptQueue(conversationId);
  if (queue === undefined || queue.messages.length === 0) return null;
  return (
    <section className="queue" aria-label={t('queue.title')}>
      {queue.isHeld ? (
        <Notice
          icon="clock"
          look="ask"
          role="status"
          actions={
            <Button isSmall onClick={() => void attempt(() => api.conversations.releaseQueue(conversationId))}>
              {t('queue.send')}
            </Button>
          }
        >
          {queue.problem ?? t('queue.held')}
        </Notice>
      ) : (
        <p className="sr" role="status">
          {counted('queue.waiting', queue.messages.length)}
        </p>
      )}
      <ol>
        {queue.messages.map((message) => (
          <QueuedRow key={message.id} message={message} conversationId={conversationId} attempt={attempt} />
        ))}
      </ol>
    </section>
  );
}

function QueuedRow({
  message,
  conversationId,
  attempt,
}: {
  readonly message: WebQueuedMessage;
  readonly conversationId: string;
  readonly attempt: (action: () => Promise<unknown>) => Promise<boolean>;
}) {
  const { t, counted } = useWords();
  const { api } = useApp();
  const [isEditing, setEditing] = useState(false);
  const change = (text: string): void => {
    setEditing(false);
    if (text.trim() === '' || text === message.text) return;
    void attempt(() => api.conversations.changeQueued(conversationId, message.id, text));
  };
  return (
    <li className="queued">
      <Icon name="clock" isSmall />
      {isEditing ? (
        <QueuedField text={message.text} change={change} leave={() => setEditing(false)} />
      ) : (
        <span className="grow cut" title={message.text}>
          {message.text}
          {message.images === 0 ? null : <span className="muted"> {counted('queue.images', message.images)}</span>}
        </span>
      )}
      {isEditing ? null : <IconButton icon="pencil" label={t('queue.edit')} isSmall onClick={() => setEditing(true)} />}
      <IconButton
        icon="x"
        label={t('queue.remove')}
        isSmall
        onClick={() => void attempt(() => api.conversations.removeQueued(conversationId, message.id))}
      />
    </li>
  );
}

function QueuedField({
  text,
  change,
  leave,
}: {
  readonly text: string;
  readonly change: (text: string) => void;
  readonly leave: () => void;
}) {
  const { t } = useWords();
  const [edited, setEdited] = useState(text);
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      // It leaves the field, not the run.
      event.preventDefault();
      leave();
    } else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      change(edited);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change(edited);
  };
  return (
    <form className="grow" onSubmit={submit}>
      <textarea
        autoFocus
        rows={1}
        aria-label={t('queue.edit')}
        value={edited}
        onChange={(event) => setEdited(event.target.value)}
        onKeyDown={press}
        onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
        onBlur={() => change(edited)}
      />
    </form>
  );
}
