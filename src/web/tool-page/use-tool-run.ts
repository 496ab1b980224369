/** Runs a tool from its page, in a conversation that this tab keeps for it: its shell, its ledger lines and its questions lie there. */
import { useState } from 'react';
import type { CallOutcome } from '../../contract/output.ts';
import { RequestFailure } from '../api/request.ts';
import { useApp } from '../app/use-app.ts';
import { useWords } from '../words/use-words.ts';

const placeKey = 'handrail.tool-page.conversation';

export function useToolRun(tool: string) {
  const { t } = useWords();
  const { api } = useApp();
  const [conversationId, setConversationId] = useState<string>();
  const [isRunning, setRunning] = useState(false);
  const [outcome, setOutcome] = useState<CallOutcome>();
  const [problem, setProblem] = useState('');

  /** The one of before, while there is one. */
  async function openConversation(): Promise<string> {
    const kept = sessionStorage.getItem(placeKey);
    const existing = kept === null ? undefined : await api.conversations.get(kept).catch(() => undefined);
    const { id } = existing ?? (await api.conversations.create({ title: t('tool.conversation') }));
    sessionStorage.setItem(placeKey, id);
    setConversationId(id);
    return id;
  }

  return {
    conversationId,
    isRunning,
    outcome,
    problem,
    async run(input: Readonly<Record<string, unknown>>, asks: boolean): Promise<void> {
      setRunning(true);
      setOutcome(undefined);
      setProblem('');
      try {
        const id = await openConversation();
        setOutcome(await api.conversations.call(id, { tool, input, asks }));
      } catch (error) {
        setProblem(error instanceof RequestFailure && error.message !== '' ? error.message : t('tool.no-answer'));
      }
      setRunning(false);
    },
    async stop(): Promise<void> {
      if (conversationId !== undefined) await api.conversations.stop(conversationId).catch(() => undefined);
    },
  };
}
