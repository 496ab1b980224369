/** The workspace's AGENTS.md, for the prompt. */
import type { ConversationInfo, Files, ServiceOwner } from '../../contract/services.ts';

const maxBytes = 64 * 1024;

/** Undefined when there is none, or it is no readable text. Through the same guard as any tool: a link out of the workspace is not followed. */
export async function readProjectText(
  files: ServiceOwner<Files>,
  conversation: ConversationInfo,
): Promise<string | undefined> {
  const signal = new AbortController().signal;
  try {
    const { bytes } = await files
      .forCall({ callId: 'project-text', conversation, granted: [], signal })
      .read('AGENTS.md', { maxBytes });
    return bytes.toString('utf8');
  } catch {
    // Most folders have none; one that is too long or leads elsewhere is no reason not to work.
    return undefined;
  }
}
