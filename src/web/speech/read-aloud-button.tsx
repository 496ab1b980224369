/** Reads one answer aloud, or ends it. Hidden where the browser has no voice. */
import { useApp, useStore } from '../app/use-app.ts';
import { IconButton } from '../ui/button.tsx';
import { useWords } from '../words/use-words.ts';
import type { Answer } from './create-speaker.ts';

export function ReadAloudButton({ answer, isSmall = true }: { readonly answer: Answer; readonly isSmall?: boolean }) {
  const { t } = useWords();
  const { speaker } = useApp();
  const { canSpeak, reading } = useStore(speaker.state);
  if (!canSpeak || answer.text === '') return null;
  const isReading = reading === answer.id;
  return (
    <IconButton
      icon={isReading ? 'stop' : 'sound'}
      label={t(isReading ? 'speech.stop' : 'speech.read')}
      isSmall={isSmall}
      aria-pressed={isReading}
      onClick={() => (isReading ? speaker.stop() : speaker.read(answer))}
    />
  );
}

/** In the bar: the newest answer, or the end of whatever is read. A chat that is new has none. */
export function ReadNewestButton({ isNew }: { readonly isNew: boolean }) {
  const { t } = useWords();
  const { speaker } = useApp();
  const { canSpeak, reading, newest } = useStore(speaker.state);
  if (!canSpeak || (isNew && reading === undefined)) return null;
  return (
    <IconButton
      icon="sound"
      label={t(reading === undefined ? 'speech.newest' : 'speech.stop')}
      aria-pressed={reading !== undefined}
      disabled={reading === undefined && newest === undefined}
      onClick={() => (reading !== undefined ? speaker.stop() : newest !== undefined && speaker.read(newest))}
    />
  );
}
