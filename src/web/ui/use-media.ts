/** Whether a media query holds now. */
import { useCallback, useSyncExternalStore } from 'react';

/** From here on a panel is docked beside the chat. */
export const wideQuery = '(min-width: 1240px)';

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
