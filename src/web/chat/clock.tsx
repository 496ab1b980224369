/** A time that counts up, in figures of one width. */
import { useEffect, useState } from 'react';
import { showClock } from '../words/amounts.ts';

export function Clock({ sinceMs }: { readonly sinceMs: number }) {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = window.setInterval(() => setNowMs(Date.now()), 1_000);
    return () => window.clearInterval(timer);
  }, []);
  return <span className="num">{showClock(nowMs - sinceMs)}</span>;
}
