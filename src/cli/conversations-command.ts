/** `handrail conversations`: what there is, and its removal with everything that runs for it. */
import { once } from 'node:events';
import { escapeInvisible } from '../base/escape-invisible.ts';
import { MisuseFailure } from '../contract/failure.ts';
import type { ExportFormat } from '../conversation/export/export-conversation.ts';
import type { CommandLine } from './face.ts';

export async function listConversations(face: CommandLine, options: { readonly json?: boolean }): Promise<number> {
  const handrail = await face.open({ needsNoWorkspace: true });
  try {
    const found = await handrail.conversations.list({ limit: 1000 });
    if (options.json === true) {
      process.stdout.write(`${JSON.stringify({ conversations: found })}\n`);
      return 0;
    }
    for (const { id, updatedAt, workspace, title } of found) {
      process.stdout.write(`${id}  ${updatedAt.slice(0, 16)}  ${workspace}  ${escapeInvisible(title, 'nothing')}\n`);
    }
    if (found.length === 0) process.stderr.write('There is no conversation yet.\n');
    return 0;
  } finally {
    await handrail.close();
  }
}

/** To standard output, so that it can be kept anywhere: `handrail conversations export ID > talk.md`. */
export async function writeConversation(
  face: CommandLine,
  id: string,
  { format = 'markdown' }: { readonly format?: ExportFormat },
): Promise<number> {
  const handrail = await face.open({ needsNoWorkspace: true });
  try {
    const conversation = await handrail.conversations.get(id);
    if (conversation === undefined) throw missing(id);
    const { exportConversation } = await import('../conversation/export/export-conversation.ts');
    for await (const part of exportConversation(handrail.conversations, conversation, format)) {
      if (part !== '' && !process.stdout.write(part)) await once(process.stdout, 'drain');
    }
    return 0;
  } finally {
    await handrail.close();
  }
}

const missing = (id: string): MisuseFailure =>
  new MisuseFailure(`There is no conversation ${id}. \`handrail conversations\` lists them.`);

export async function removeConversation(face: CommandLine, id: string): Promise<number> {
  const handrail = await face.open({ needsNoWorkspace: true });
  try {
    if (!(await handrail.conversations.remove(id))) throw missing(id);
    process.stderr.write(`Removed ${id}.\n`);
    return 0;
  } finally {
    await handrail.close();
  }
}
