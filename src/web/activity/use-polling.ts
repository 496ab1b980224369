/** Looks again and again while somebody looks at the page: other processes write into the same records and tell nobody. */
import { useEffect, useRef } from 'react';
import { useApp, useStore } from '../app/use-app.ts';

const restMs = 2_500;
/** What the server tells of by itself is looked at sooner. */
const soonMs = 300;

/** `look` may reject: the next one comes anyway. */
export function usePolling(look: () => Promise<void>): void {
  const { live } = useApp();
  const { running, commands } = useStore(live.state);
  const latest = useRef(look);
  latest.current = look;
  const isLooking = useRef(false);
  const isFirst = useRef(true);
  useEffect(() => {
    const lookOnce = async (): Promise<void> => {
      if (document.hidden || isLooking.current) return;
      isLooking.current = true;
      await latest.current().catch(() => {
        // The connection line says that the server is away; the next look finds it.
      });
      isLooking.current = false;
    };
    const soon = window.setTimeout(() => void lookOnce(), isFirst.current ? 0 : soonMs);
    isFirst.current = false;
    const timer = window.setInterval(() => void lookOnce(), restMs);
    return () => {
      window.clearTimeout(soon);
      window.clearInterval(timer);
    };
  }, [running, commands]);
}
