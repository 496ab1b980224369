/** One turn: what was said, and everything that came of it. */
import { memo } from 'react';
import { AnsweredView } from '../kai-ui/answered-view.tsx';
import { TurnIdContext } from '../kai-ui/kai-ui-context.ts';
import { readAnswer } from '../kai-ui/screen-answer.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { IconButton } from '../ui/button.tsx';
import { StatusChip } from '../ui/indicator.tsx';
import { useWords } from '../words/use-words.ts';
import { argumentsOf } from './question-text.ts';
import { BranchLine } from './branch-line.tsx';
import { NoteView, RetryView, ThoughtView } from './small-parts.tsx';
import type { Part, Step, Turn } from './screen.ts';
import { StepsView } from './steps-view.tsx';
import { useTurnActions } from './turn-actions.ts';
import { TurnFoot } from './turn-foot.tsx';
import { runningTitles } from './step-line.ts';

/** `isRunning`: the server is at work on it. */
export const TurnView = memo(function TurnView({
  turn,
  isRunning,
}: {
  readonly turn: Turn;
  readonly isRunning: boolean;
}) {
  const { t } = useWords();
  const typed = turn.said === undefined ? typedStep(turn) : undefined;
  const isOver = !isRunning;
  return (
    <>
      {turn.said === undefined ? null : <SaidView turn={turn} said={turn.said} />}
      {typed === undefined ? null : <TypedView step={typed} />}
      <li className="turn">
        <h2 className="sr">{t('chat.handrail')}</h2>
        <TurnIdContext value={turn.turnId}>
          {turn.parts.map((part) => (
            <PartView key={`${part.kind}${part.id}`} part={part} isOver={isOver} />
          ))}
        </TurnIdContext>
        {turn.end === undefined ? null : <TurnFoot turn={turn} end={turn.end} />}
      </li>
      {isRunning ? (
        <li>
          <StatusChip tools={runningTitles(turn)} />
        </li>
      ) : null}
    </>
  );
});

function PartView({ part, isOver }: { readonly part: Part; readonly isOver: boolean }) {
  const { t } = useWords();
  switch (part.kind) {
    case 'text':
      return <Markdown text={part.text} isOpen={part.isOpen && !isOver} />;
    case 'thought':
      return <ThoughtView thought={part} />;
    case 'steps':
      return <StepsView steps={part.steps} isOver={isOver} />;
    case 'note':
      return <Note id={part.id} text={part.text} />;
    case 'compaction':
      return <NoteView text={t('note.compaction')} more={part.summary} />;
    case 'retry':
      return <RetryView retry={part} />;
  }
}

function Note({ id, text }: { readonly id: number; readonly text: string }) {
  const from = useTurnActions()?.branchedFrom;
  return from?.beforeSeq === id ? <BranchLine from={from.conversationId} /> : <NoteView text={text} />;
}

function SaidView({ turn, said }: { readonly turn: Turn; readonly said: NonNullable<Turn['said']> }) {
  const { t } = useWords();
  const actions = useTurnActions();
  const answer = readAnswer(said.text);
  return (
    <li className="said">
      {actions === undefined || answer !== undefined ? null : (
        <IconButton
          icon="pencil"
          label={t('said.edit')}
          hint={t('said.edit-hint')}
          isSmall
          onClick={() => actions.edit(turn)}
        />
      )}
      <div className="you">
        <h2 className="sr">{t('chat.you')}</h2>
        {said.images.map((image, at) => (
          <img key={at} src={`data:${image.mediaType};base64,${image.data}`} alt={t('image.of-yours')} />
        ))}
        {answer === undefined ? said.text : <AnsweredView answer={answer} />}
      </div>
    </li>
  );
}

/** What a person typed behind `!` or `/`, as a command of theirs. */
function TypedView({ step }: { readonly step: Step }) {
  const { t } = useWords();
  const all = argumentsOf(step.input);
  const [only] = all;
  const text = all.length === 1 && only?.name === 'command' ? `!${only.text}` : `/${step.tool} ${step.input}`;
  return (
    <li className="you mono">
      <h2 className="sr">{t('chat.you')}</h2>
      {text}
    </li>
  );
}

function typedStep(turn: Turn): Step | undefined {
  const [part] = turn.parts;
  const step = part?.kind === 'steps' ? part.steps[0] : undefined;
  return step?.isTyped === true ? step : undefined;
}
