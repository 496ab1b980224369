/** Something that is over at once is not worth a word. */
import { useEffect, useState } from 'react';

/** True when `isSo` has held for `ms` without a break. */
export function usePatience(isSo: boolean, ms: number): boolean {
  const [hasHeld, setHeld] = useState(false);
  useEffect(() => {
    if (!isSo) return setHeld(false);
    const timer = window.setTimeout(() => setHeld(true), ms);
    return () => window.clearTimeout(timer);
  }, [isSo, ms]);
  return isSo && hasHeld;
}
