/** The conversation itself: it follows its end while it is there, and shows the way back when it is not. */
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';
import type { Turn } from './screen.ts';
import { TurnView } from './turn-view.tsx';

/** This close to the end counts as being there. */
const nearPx = 48;

export function Log({
  turns,
  runningTurnId,
  earlier,
  children,
}: {
  readonly turns: readonly Turn[];
  /** Undefined: nothing runs. */
  readonly runningTurnId: string | undefined;
  /** What loads the part before; null: it begins here. */
  readonly earlier: ReactNode;
  /** Behind the last turn. */
  readonly children: ReactNode;
}) {
  const { t } = useWords();
  const { place, content, isAtEnd, goToEnd } = useStickToEnd();
  return (
    <div className="scroll-box">
      <div ref={place} className="scroll" tabIndex={0} role="region" aria-label={t('chat.conversation')}>
        <ol ref={content} className="log">
          {earlier}
          {turns.map((turn) => (
            <TurnView key={turn.turnId} turn={turn} isRunning={turn.turnId === runningTurnId} />
          ))}
          {children}
        </ol>
      </div>
      {isAtEnd ? null : (
        <Button className="to-end" isSmall onClick={goToEnd}>
          <Icon name="down" isSmall />
          {t('chat.new-below')}
        </Button>
      )}
    </div>
  );
}

function useStickToEnd(): {
  readonly place: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLOListElement | null>;
  readonly isAtEnd: boolean;
  readonly goToEnd: () => void;
} {
  const place = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLOListElement>(null);
  const sticks = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);
  useEffect(() => {
    const box = place.current;
    const list = content.current;
    if (box === null || list === null) return;
    const scroll = (): void => {
      sticks.current = box.scrollHeight - box.scrollTop - box.clientHeight < nearPx;
      setAtEnd(sticks.current);
    };
    // Safari does not.
    const keepsPlace = CSS.supports('overflow-anchor', 'auto');
    let height = 0;
    const follow = new ResizeObserver(() => {
      const grownBy = list.offsetHeight - height;
      height = list.offsetHeight;
      if (sticks.current) box.scrollTop = box.scrollHeight;
      // Earlier turns came in above: what is read stays where it is. Browsers see to that themselves, but not at the very top.
      else if (grownBy > 0 && (box.scrollTop <= 0 || !keepsPlace)) box.scrollTop += grownBy;
      scroll();
    });
    follow.observe(list);
    follow.observe(box);
    box.addEventListener('scroll', scroll, { passive: true });
    return () => {
      follow.disconnect();
      box.removeEventListener('scroll', scroll);
    };
  }, []);
  const goToEnd = (): void => {
    sticks.current = true;
    place.current?.scrollTo({ top: place.current.scrollHeight });
  };
  return { place, content, isAtEnd, goToEnd };
}
