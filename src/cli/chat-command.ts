/** `handrail`: the chat on a terminal; without one, what is piped in is asked. */
import { MisuseFailure } from '../contract/failure.ts';
import { askCommand, type AskOptions } from './ask-command.ts';
import type { CommandLine } from './face.ts';

export async function chatCommand(face: CommandLine, options: AskOptions): Promise<number> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) {
    if (process.stdin.isTTY === true)
      throw new MisuseFailure('The chat needs a terminal. Use `handrail ask "…"` when the output goes elsewhere.');
    return askCommand(face, [], options);
  }
  let handrail = await face.open(options);
  if (handrail.confirmations.pending().length > 0) {
    const { confirmInTerminal } = await import('./confirm-command.ts');
    if (await confirmInTerminal(handrail)) {
      await handrail.close();
      handrail = await face.open(options);
    }
  }
  try {
    const { startChat } = await import('./chat/start-chat.ts');
    return await startChat({
      handrail,
      continueLatest: options.continue === true,
      approve: options.approve ?? 'ask',
      ...(options.conversation === undefined ? {} : { conversationId: options.conversation }),
      ...(options.model === undefined ? {} : { model: options.model }),
    });
  } finally {
    await handrail.close();
  }
}
