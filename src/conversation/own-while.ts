/** One owner per conversation: whatever changes it claims it first. */
import type { Conversation } from '../contract/storage.ts';
import type { TurnServices } from './start-turn.ts';

/** Two turns at once in one conversation would answer each other's calls. Rejects with ToolFailure('busy'). */
export async function ownWhile<Result>(
  services: Pick<TurnServices, 'own'>,
  { id }: Pick<Conversation, 'id'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const release = await services.own(id);
  try {
    return await work();
  } finally {
    await release();
  }
}
