/** Which conversation a part of the page stands in: for what belongs to it without being a part of its events. */
import { createContext, useContext } from 'react';
import { useApp, useStore } from '../app/use-app.ts';

/** Undefined: in none yet. */
export const ConversationContext = createContext<string | undefined>(undefined);

export const useConversationId = (): string | undefined => useContext(ConversationContext);

/** Paths below the conversation's folder are shown from there on. */
export function useShortPath(): (path: string) => string {
  const id = useConversationId();
  const { list, live } = useApp();
  const { conversations } = useStore(list.state);
  const { changed } = useStore(live.state);
  const known = id === undefined ? undefined : (changed.get(id) ?? conversations.find((each) => each.id === id));
  const folder = known?.workspace;
  return (path) =>
    folder !== undefined && folder !== '/' && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}
