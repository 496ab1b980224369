/**
 * A question may be answered only when it has stood still for a moment: a click or key that was meant for what was there before
 * must not allow anything.
 */
import { useCallback, useEffect, useRef, type RefObject } from 'react';

const quietMs = 400;

export function useQuietAround(): { readonly place: RefObject<HTMLElement | null>; readonly isReady: () => boolean } {
  const place = useRef<HTMLElement>(null);
  const movedAtMs = useRef(Number.POSITIVE_INFINITY);
  useEffect(() => {
    let frame = 0;
    let before = '';
    // Where it is decides: it may move because something above it grew, which no event tells.
    const look = (): void => {
      const box = place.current?.getBoundingClientRect();
      const now = box === undefined ? '' : `${Math.round(box.left)} ${Math.round(box.top)}`;
      if (now !== before) movedAtMs.current = performance.now();
      before = now;
      frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, []);
  const isReady = useCallback(() => performance.now() - movedAtMs.current >= quietMs, []);
  return { place, isReady };
}
