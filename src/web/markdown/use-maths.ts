/** What draws formulas, once it is there. */
import { createContext, useEffect, useState } from 'react';

export type Maths = typeof import('./maths.ts');

/** What draws the formulas of the text around. */
export const MathsContext = createContext<Maths | undefined>(undefined);

/** Loaded with the first formula. Undefined: not needed, or not there yet. */
export function useMaths(isNeeded: boolean): Maths | undefined {
  const [maths, setMaths] = useState<Maths>();
  useEffect(() => {
    if (!isNeeded) return;
    let isOver = false;
    // Without it formulas stay as they were written.
    void import('./maths.ts').then(
      (loaded) => isOver || setMaths(loaded),
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [isNeeded]);
  return isNeeded ? maths : undefined;
}
