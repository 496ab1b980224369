/** Where a person writes: a message, `!command` or `/tool`, with what is attached. Enter sends, what is not sent is kept. */
import { useRef, useState, type ClipboardEvent, type KeyboardEvent, type ReactNode } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { useWords } from '../words/use-words.ts';
import { AttachButton } from './attach/attach-button.tsx';
import { AttachmentList } from './attach/attachment-list.tsx';
import { DropZone } from './attach/drop-zone.tsx';
import { useAttachments, type Attachments } from './attach/use-attachments.ts';
import { Completion } from './completion.tsx';
import { MessageField } from './message-field.tsx';
import { ModelPicker } from './model-picker.tsx';
import type { Outgoing } from './outgoing.ts';
import { readTyped } from './read-typed.ts';
import { UsageMeter } from './usage-meter.tsx';
import type { Editing } from './use-branching.ts';
import { useCompletion } from './use-completion.ts';
import { useMessageText } from './use-message-text.ts';
import { useTools } from './use-tools.ts';

export type ComposerProps = {
  /** Undefined: a new chat. */
  readonly conversationId: string | undefined;
  readonly isRunning: boolean;
  readonly contextTokens: number;
  readonly costUsd: number;
  /** False: it was not taken, and the text stays. */
  readonly send: (outgoing: Outgoing) => Promise<boolean>;
  readonly stop: () => void;
  /** A message that is written anew. Undefined: a new one. */
  readonly editing?: Editing | undefined;
  readonly endEditing?: (() => void) | undefined;
  /** By the arrow up in an empty field. */
  readonly editLast?: () => void;
  /** Above the field. */
  readonly children?: ReactNode;
};

export function Composer(props: ComposerProps) {
  const { t } = useWords();
  const attachments = useAttachments();
  const { text, setText } = useMessageText(props, attachments);
  const [model, setModel] = useState<string>();
  const { tools, readTools } = useTools(text.startsWith('/'));
  const completion = useCompletion(text, tools, setText);
  const { send, isSending, problem } = useSending(props, { text, setText, attachments, model, readTools });
  const press = pressIn({ ...props, text, completion, send });
  const paste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    attachments.add(files);
  };
  const isEmpty = text.trim() === '' && attachments.all.length === 0;
  return (
    <div className="composer">
      <DropZone attachments={attachments} />
      <Completion {...completion} />
      {props.children}
      {props.editing === undefined ? null : <EditingLine endEditing={props.endEditing} />}
      <form
        aria-label={t('composer.label')}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <AttachmentList attachments={attachments} />
        <MessageField
          text={text}
          setText={setText}
          press={press}
          paste={paste}
          completion={completion}
          problem={problem}
          isEditing={props.editing !== undefined}
        />
        <div className="tools">
          <AttachButton attachments={attachments} />
          <ModelPicker chosen={model} choose={setModel} />
          <span className="grow" />
          <UsageMeter contextTokens={props.contextTokens} costUsd={props.costUsd} />
          {props.isRunning ? <StopButton stop={props.stop} /> : null}
          {props.isRunning && isEmpty ? null : (
            <SendButton isEmpty={isEmpty} isSending={isSending} isQueued={props.isRunning} />
          )}
        </div>
      </form>
      <p className="hintline">{t(props.isRunning ? 'composer.hint-running' : 'composer.hint')}</p>
    </div>
  );
}

/** What keys do in the field. */
function pressIn(
  given: Pick<ComposerProps, 'editing' | 'endEditing' | 'editLast'> & {
    readonly text: string;
    readonly completion: Pick<ReturnType<typeof useCompletion>, 'press'>;
    readonly send: () => Promise<void>;
  },
): (event: KeyboardEvent) => void {
  return (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || given.completion.press(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void given.send();
    } else if (event.key === 'ArrowUp' && given.text === '' && given.editLast !== undefined) {
      event.preventDefault();
      given.editLast();
    } else if (event.key === 'Escape' && given.editing !== undefined) {
      // It leaves the message, not the run.
      event.preventDefault();
      given.endEditing?.();
    }
  };
}

function useSending(
  props: Pick<ComposerProps, 'conversationId' | 'send'>,
  given: {
    readonly text: string;
    readonly setText: (text: string) => void;
    readonly attachments: Attachments;
    readonly model: string | undefined;
    readonly readTools: ReturnType<typeof useTools>['readTools'];
  },
) {
  const { t } = useWords();
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);
  const isBusy = useRef(false);
  const last = useRef(Promise.resolve(true));
  const attempt = async (): Promise<void> => {
    const { text, setText, attachments, model } = given;
    if (attachments.all.some((each) => each.kind === 'reading')) return;
    if (attachments.all.some((each) => each.kind === 'refused')) return setProblem(t('attach.remove-first'));
    const images = attachments.all.filter((each) => each.kind === 'image');
    const files = attachments.all.filter((each) => each.kind === 'file');
    if (text.trim() === '' && images.length + files.length === 0) return;
    const typed = readTyped(text, /^\s*[!/]/.test(text) ? await given.readTools() : []);
    if (typed.kind === 'problem') return setProblem(t(`typed.${typed.problem}`, { what: typed.what }));
    setProblem('');
    setText('');
    const { send } = props;
    const outgoing: Outgoing = {
      ...{ typed, model, images },
      files: files.map(({ id, file }) => ({ file, onProgress: (sent) => attachments.progress(id, sent) })),
    };
    // One after the other, in the order in which they were written.
    const taken = last.current.then(() => send(outgoing));
    last.current = taken;
    const isTaken = await taken;
    if (isTaken) attachments.replace([]);
    else setText(text);
  };
  const send = async (): Promise<void> => {
    // A message is out of the field by now, and another one can be sent; a command is still being read, files are still on their way.
    const isPlain = given.attachments.all.length === 0 && !/^\s*[!/]/.test(given.text);
    if (isBusy.current && (props.conversationId === undefined || !isPlain)) return;
    isBusy.current = true;
    setSending(true);
    await attempt();
    setSending(false);
    isBusy.current = false;
  };
  return { send, isSending, problem };
}

function EditingLine({ endEditing }: Pick<ComposerProps, 'endEditing'>) {
  const { t } = useWords();
  return (
    <Notice
      icon="branch"
      role="status"
      actions={
        <Button isSmall onClick={endEditing}>
          {t('edit.leave')}
        </Button>
      }
    >
      {t('edit.about')}
    </Notice>
  );
}

function StopButton({ stop }: Pick<ComposerProps, 'stop'>) {
  const { t } = useWords();
  return (
    <Button isSmall className="stop" title={t('composer.stop-key')} onClick={stop}>
      <Icon name="stop" />
      {t('composer.stop')}
    </Button>
  );
}

function SendButton({
  isEmpty,
  isSending,
  isQueued,
}: {
  readonly isEmpty: boolean;
  readonly isSending: boolean;
  readonly isQueued: boolean;
}) {
  const { t } = useWords();
  return (
    <IconButton
      className="send"
      look="primary"
      icon="send"
      label={t(isQueued ? 'composer.queue' : 'composer.send')}
      type="submit"
      isSmall
      isBusy={isSending}
      disabled={isEmpty}
    />
  );
}
