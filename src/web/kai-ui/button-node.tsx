/** A button of a screen: it answers, shows or hides something, leads elsewhere, or copies. */
import { useState } from 'react';
import { safeAddress } from '../markdown/safe-address.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';
import type { Action } from './screen-node.ts';
import { useForm } from './use-screen-form.ts';

export function ButtonNode({ label, action }: { readonly label: string; readonly action: Action | undefined }) {
  switch (action?.type) {
    case 'callback':
      return <AnswerButton label={label} action={action} />;
    case 'toggle':
      return <ToggleButton label={label} target={action.target} />;
    case 'open_url':
      return <LinkButton label={label} url={action.url} />;
    case 'copy_to_clipboard':
      return <CopyNode label={label} text={action.text} />;
    case undefined:
      return null;
  }
}

function AnswerButton({
  label,
  action,
}: {
  readonly label: string;
  readonly action: Extract<Action, { type: 'callback' }>;
}) {
  const { t } = useWords();
  const form = useForm();
  const isWaiting = form.isWaiting(label, action);
  return (
    <Button
      look="primary"
      isBusy={isWaiting}
      disabled={form.isFrozen}
      aria-label={isWaiting ? t('kai.waiting', { label }) : undefined}
      onClick={() => form.call(label, action)}
    >
      {label}
    </Button>
  );
}

function ToggleButton({ label, target }: { readonly label: string; readonly target: string }) {
  const form = useForm();
  return (
    <Button aria-expanded={form.isToggled(target)} disabled={form.isFrozen} onClick={() => form.toggle(target)}>
      {label}
    </Button>
  );
}

/** The true place stands beside it: the model chose the words, not where they lead. */
function LinkButton({ label, url }: { readonly label: string; readonly url: string }) {
  const { t } = useWords();
  const safe = safeAddress(url);
  if (safe === undefined) {
    return (
      <span>
        {label} <code>{url}</code>
      </span>
    );
  }
  return (
    <a
      className="btn"
      href={safe.href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={t('link.leads-to', { address: safe.href })}
    >
      <Icon name="exit" />
      {label} <span className="muted">({safe.place})</span>
    </a>
  );
}

/** What is copied is shown before: it may be meant for a terminal. */
function CopyNode({ label, text }: { readonly label: string; readonly text: string }) {
  const { t } = useWords();
  const [said, setSaid] = useState('');
  const copy = (): void => {
    // Absent where the page was not served securely.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    const done = clipboard === undefined ? Promise.reject(new Error('no clipboard')) : clipboard.writeText(text);
    void done.then(
      () => setSaid(t('copy.done')),
      () => setSaid(t('copy.failed')),
    );
  };
  return (
    <div className="kai-copy">
      <code>{text}</code>
      <Button isSmall onClick={copy}>
        <Icon name="copy" />
        {label}
      </Button>
      <span className="xs muted" role="status">
        {said}
      </span>
    </div>
  );
}
