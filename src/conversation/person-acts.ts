/** What a person changes with their own hands, with a line for each act in the ledger. */
import type { CallOutcome } from '../contract/output.ts';
import { ToolFailure } from '../contract/failure.ts';
import type { PersonFiles } from '../contract/person-files.ts';
import { createJournal } from './journal.ts';
import { openConversation } from './open-conversation.ts';
import type { TurnServices } from './start-turn.ts';

type Kept = Pick<TurnServices, 'storage' | 'now' | 'newId'>;
type Act = { readonly verb: string; readonly path: string; readonly more?: Readonly<Record<string, string | number>> };

/** The name of these acts in the ledger: no tool did them. */
const actor = 'files-by-hand';

export function recordPersonFiles(files: PersonFiles, services: () => Promise<Kept>): PersonFiles {
  const { workspace, home } = files.places();

  async function recorded<Result>({ verb, path, more = {} }: Act, act: () => Promise<Result>): Promise<Result> {
    const { storage, now, newId } = await services();
    const conversation = { id: newId(), title: actor, workspace: workspace ?? home, isThrowaway: true, now: now() };
    const { id } = await openConversation(storage.conversations, conversation);
    const record = createJournal({ store: storage.events, conversationId: id, lastSeq: 0, now }).recorder(newId());
    const callId = newId();
    const input = JSON.stringify({ action: verb, path, ...more });
    const summary = `${verb} ${path}`;
    const what = { callId, tool: actor, title: 'Files', summary, input } as const;
    await record({ type: 'tool-start', ...what, effect: 'once', origin: 'user' }, { durable: true });
    const startedAt = performance.now();
    const end = (outcome: CallOutcome, verdict: 'allow' | 'deny', reason: string): Promise<void> => {
      const durationMs = Math.round(performance.now() - startedAt);
      return record({ type: 'tool-end', callId, tool: actor, outcome, decision: { verdict, reason }, durationMs });
    };
    try {
      const result = await act();
      await end({ ok: true, text: `${summary}: done.` }, 'allow', 'you did it in Files');
      return result;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const code = error instanceof ToolFailure ? error.code : 'failed';
      const isDenied = code === 'denied';
      const outcome: CallOutcome = { ok: false, text: message, error: { code, message } };
      await end(outcome, isDenied ? 'deny' : 'allow', isDenied ? message : 'you did it in Files');
      throw error;
    }
  }

  return {
    ...files,
    write: (path, bytes, expected) =>
      recorded({ verb: 'write', path, more: { bytes: bytes.byteLength } }, () => files.write(path, bytes, expected)),
    receive: (path, chunks, options) => recorded({ verb: 'upload', path }, () => files.receive(path, chunks, options)),
    makeFolder: (path) => recorded({ verb: 'make the folder', path }, () => files.makeFolder(path)),
    move: (from, to) => recorded({ verb: 'move', path: from, more: { destination: to } }, () => files.move(from, to)),
    remove: (path) => recorded({ verb: 'move to the trash', path }, () => files.remove(path)),
    restore: (path) => recorded({ verb: 'restore', path }, () => files.restore(path)),
  };
}
