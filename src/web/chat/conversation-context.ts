/** Which conversation a part of the page stands in: for what belongs to it without being a part of its events. */
import { createContext, useContext } from 'react';

/** Undefined: in none yet. */
export const ConversationContext = createContext<string | undefined>(undefined);

export const useConversationId = (): string | undefined => useContext(ConversationContext);
