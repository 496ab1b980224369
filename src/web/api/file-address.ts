/** Where a file's own bytes are, for pictures and the like: contract/web-files.ts. */
import { queryText } from './request.ts';

/** `conversationId` undefined: only the home of the sandbox can be reached. */
export const fileAddress = (conversationId: string | undefined, path: string): string =>
  `/api/files/raw${queryText({ conversation: conversationId, path })}`;
