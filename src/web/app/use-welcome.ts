/** On a fresh installation the first steps come before the first chat, once. */
import { useEffect } from 'react';
import { useApp, useStore } from './use-app.ts';

export function useWelcome(): void {
  const { navigation, serverState } = useApp();
  const route = useStore(navigation.route);
  const state = useStore(serverState);
  const isDue = state?.isWelcomeDue === true && route.page === 'chat' && route.conversationId === undefined;
  useEffect(() => {
    if (isDue) navigation.go({ page: 'welcome' }, { replaces: true });
  }, [isDue, navigation]);
}
