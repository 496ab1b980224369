/** Hands what was typed to the server. Resolves when it was taken; what comes of it comes as events. */
import type { ServerApi } from '../api/server-api.ts';
import type { Typed } from './read-typed.ts';

/** A call is answered when it has ended, which may take long: after this time it counts as taken. */
const takenAfterMs = 1_500;

export async function sendTyped(
  api: ServerApi,
  conversationId: string,
  typed: Exclude<Typed, { kind: 'problem' }>,
  model: string | undefined,
): Promise<void> {
  if (typed.kind === 'message') {
    await api.conversations.say(conversationId, { text: typed.text, ...(model === undefined ? {} : { model }) });
    return;
  }
  const call = api.conversations.call(conversationId, { tool: typed.tool, input: typed.input });
  await Promise.race([call, new Promise((resolve) => window.setTimeout(resolve, takenAfterMs))]);
  // Should the connection break later, the result still comes as an event.
  call.catch(() => undefined);
}
