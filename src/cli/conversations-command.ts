/** `handrail conversations`: what there is, and its removal with everything that runs for it. */
import { escapeInvisible } from '../base/escape-invisible.ts';
import { MisuseFailure } from '../contract/failure.ts';
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

export async function removeConversation(face: CommandLine, id: string): Promise<number> {
  const handrail = await face.open({ needsNoWorkspace: true });
  try {
    if (!(await handrail.conversations.remove(id))) {
      throw new MisuseFailure(`There is no conversation ${id}. \`handrail conversations\` lists them.`);
    }
    process.stderr.write(`Removed ${id}.\n`);
    return 0;
  } finally {
    await handrail.close();
  }
}
