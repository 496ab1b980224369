/** The workspace's AGENTS.md, for the prompt. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationInfo, Files, ServiceOwner } from '../../contract/services.ts';

const name = 'AGENTS.md';
const maxBytes = 64 * 1024;

/**
 * Undefined when there is none, or it is no readable text. Through the same guard as any tool: a link out of the workspace is
 * not followed. `files` is made only when there is one: most folders have none, and a start must not pay for them.
 */
export async function readProjectText(
  files: () => Promise<ServiceOwner<Files>>,
  conversation: ConversationInfo,
): Promise<string | undefined> {
  const signal = new AbortController().signal;
  try {
    if (lstatSync(join(conversation.workspace, name), { throwIfNoEntry: false }) === undefined) return undefined;
    const guarded = (await files()).forCall({ callId: 'project-text', conversation, granted: [], signal });
    const { bytes } = await guarded.read(name, { maxBytes });
    return bytes.toString('utf8');
  } catch {
    // One that is too long or leads elsewhere is no reason not to work.
    return undefined;
  }
}
