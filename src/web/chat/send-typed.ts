/** Hands what was typed to the server. Resolves when it was taken; what comes of it comes as events. */
import type { WebNewTurn } from '../../contract/web-api.ts';
import { RequestFailure } from '../api/request.ts';
import type { ServerApi } from '../api/server-api.ts';
import { uploadFile } from '../api/upload-file.ts';
import type { Outgoing } from './outgoing.ts';

/** A call is answered when it has ended, which may take long: after this time it counts as taken. */
const takenAfterMs = 1_500;

/** `isQueued`: a turn runs, and a message waits for its end. */
export async function deliver(
  api: ServerApi,
  conversationId: string,
  outgoing: Outgoing,
  { isQueued = false } = {},
): Promise<void> {
  const { typed } = outgoing;
  const paths: string[] = [];
  for (const { file, onProgress } of outgoing.files) paths.push(await uploadFile(conversationId, file, onProgress));
  if (typed.kind === 'message') {
    const turn = turnOf(outgoing, withPaths(typed.text, paths));
    const queue = () => api.conversations.queue(conversationId, { ...turn, id: crypto.randomUUID() });
    if (isQueued) await queue();
    else
      await api.conversations.say(conversationId, turn).catch((error: unknown) => {
        // A turn has begun that this page has not heard of yet.
        if (error instanceof RequestFailure && error.code === 'busy') return queue();
        throw error;
      });
    return;
  }
  const call = api.conversations.call(conversationId, { tool: typed.tool, input: typed.input });
  await Promise.race([call, new Promise((resolve) => window.setTimeout(resolve, takenAfterMs))]);
  // Should the connection break later, the result still comes as an event.
  call.catch(() => undefined);
}

/** A model finds them by their names; so does whoever reads the message. */
const withPaths = (text: string, paths: readonly string[]): string =>
  paths.length === 0 ? text : `${text}\n\n${paths.map((path) => `[${path}]`).join('\n')}`.trim();

function turnOf({ images, model }: Outgoing, text: string): WebNewTurn {
  return {
    text,
    ...(images.length === 0 ? {} : { images: images.map(({ mediaType, data }) => ({ mediaType, data })) }),
    ...(model === undefined ? {} : { model }),
  };
}
