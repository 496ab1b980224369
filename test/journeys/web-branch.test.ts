/** Branches of a conversation through the server of the real program: what is copied, what is not, and what both do afterwards. */
import { expect, test } from 'vitest';
import type { JournalEvent } from '../../src/contract/event.ts';
import type { Grant, Question } from '../../src/contract/permission.ts';
import type { LedgerEntry } from '../../src/contract/ledger.ts';
import type { WebConversation, WebEventPage, WebNotice, WebTurnStart } from '../../src/contract/web-api.ts';
import { expectAccepted, sentText } from '../kit/turn-journey.ts';
import type { WebClient } from '../kit/web-client.ts';
import { createWebJourney, newConversation } from '../kit/web-world.ts';

const shell = (command: string) => ({ name: 'execute_shell_command', input: { command } });
const at = (id: string, more = '') => `/api/conversations/${id}${more}`;
const eventsOf = async (client: WebClient, id: string) =>
  (await client.need<WebEventPage>('GET', at(id, '/events?limit=5000'))).events;

async function sayAndWait(client: WebClient, id: string, text: string): Promise<WebTurnStart> {
  const stream = await client.follow(at(id, '/stream'));
  const begun = await client.need<WebTurnStart>('POST', at(id, '/turns'), { text });
  await stream.waitFor<JournalEvent>((event) => event.type === 'turn-end' && event.turnId === begun.turnId);
  stream.close();
  return begun;
}

const branch = (client: WebClient, id: string, beforeSeq: number) =>
  client.need<WebConversation>('POST', at(id, '/branch'), { beforeSeq });

test('[A47] a branch has what was said before its place, its own shell and no grant; the original stays as it was', async () => {
  const journey = await createWebJourney([
    { calls: [shell('mark=set; yes long | head -c 40000')] },
    { calls: [shell('rm -rf old')] },
    { text: 'Done.' },
    { calls: [shell('echo "mark: <$mark>"')] },
    { text: 'Never said in the branch.' },
    { calls: [shell('echo "mark: <$mark>"')] },
    { calls: [shell('rm -rf old')] },
    { text: 'Other end.' },
    { text: 'Once more.' },
  ]);
  const { client } = await journey.serve();
  const origin = await newConversation(client);
  const notices = await client.follow('/api/stream');
  const answerNext = async (verdict: object) => {
    const { question } = await notices.waitFor<Extract<WebNotice, { type: 'question' }>>(
      (notice) => notice.type === 'question' && !answered.has(notice.question.id),
    );
    answered.add(question.id);
    await client.need('POST', `/api/questions/${question.id}/answer`, { ...verdict, hash: question.hash });
    return question satisfies Question;
  };
  const answered = new Set<string>();
  await Promise.all([
    sayAndWait(client, origin.id, 'Clean up'),
    answerNext({ verdict: 'allow', scope: 'conversation' }),
  ]);
  const second = await sayAndWait(client, origin.id, 'And then');
  const before = await eventsOf(client, origin.id);

  const made = await branch(client, origin.id, second.seq);
  expect(made).toMatchObject({
    title: 'Clean up (2)',
    workspace: origin.workspace,
    isPinned: false,
    isRunning: false,
    branchedFrom: { conversationId: origin.id, beforeSeq: second.seq },
  });
  const copied = await eventsOf(client, made.id);
  expect(copied.slice(0, -1)).toEqual(
    before.slice(0, second.seq - 1).map((each) => ({ ...each, conversationId: made.id })),
  );
  expect(copied.at(-1)).toMatchObject({ type: 'note', seq: second.seq });
  expect(await client.need<Grant[]>('GET', `/api/grants?conversation=${origin.id}`)).toHaveLength(1);
  expect(await client.need<Grant[]>('GET', `/api/grants?conversation=${made.id}`)).toEqual([]);
  const calls = await client.need<LedgerEntry[]>('GET', '/api/ledger');
  expect(calls.map((each) => each.conversationId)).toEqual([origin.id, origin.id, origin.id]);

  // What was allowed in the other chat is asked again here.
  await Promise.all([sayAndWait(client, made.id, 'Otherwise'), answerNext({ verdict: 'deny' })]);
  expect(sentText(journey, 4).includes('mark: <set>')).toBe(true);
  const asked = sentText(journey, 6);
  const told = ['Clean up', 'Otherwise', 'mark: <>', 'the shell starts anew', 'mark: <set>', 'And then'];
  expect(told.filter((each) => asked.includes(each))).toEqual(told.slice(0, 4));
  expect(await eventsOf(client, origin.id)).toEqual(before);
  const ends = (await eventsOf(client, made.id)).filter((each) => each.type === 'tool-end');
  const kept = ends.find((each) => each.outcome.artifact !== undefined)?.outcome.artifact;
  const read = await client.need<{ ok: boolean }>('POST', at(made.id, '/calls'), {
    tool: 'read_artifact',
    input: { id: kept?.id },
  });
  expect(read.ok).toBe(true);

  expect((await branch(client, made.id, 1)).title).toBe('Clean up (3)');
  await client.need('DELETE', at(origin.id));
  await sayAndWait(client, made.id, 'Still there?');
  expectAccepted(journey);
});

test('a branch cannot begin in the middle of a turn, behind the end, in another conversation or without a session', async () => {
  const journey = await createWebJourney([{ calls: [shell('sleep 60')] }]);
  const { client } = await journey.serve();
  const { id } = await newConversation(client);
  const stream = await client.follow(at(id, '/stream'));
  await client.need('POST', at(id, '/turns'), { text: 'Sleep' });
  const started = await stream.waitFor<JournalEvent>((event) => event.type === 'tool-start');
  const refused = async (beforeSeq: unknown, of = id) =>
    (await client.send('POST', at(of, '/branch'), { beforeSeq })).status;
  expect(await Promise.all([2, started.seq + 1, 10_000, 0, '1'].map((each) => refused(each)))).toEqual([
    422, 422, 422, 400, 400,
  ]);
  expect(await refused(1, 'nobody')).toBe(404);
  expect((await client.withCookie(undefined).send('POST', at(id, '/branch'), { beforeSeq: 1 })).status).toBe(401);
  // Before what was said there is nothing, which is a place as good as any, also while it runs.
  expect(await refused(1)).toBe(201);
  await client.need('POST', at(id, '/stop'), {});
});
