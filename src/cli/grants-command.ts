/** `handrail grants`: what people have allowed for longer than once, and taking it back. */
import { escapeInvisible } from '../base/escape-invisible.ts';
import { MisuseFailure } from '../contract/failure.ts';
import type { Handrail } from '../contract/handrail.ts';
import type { Grant } from '../contract/permission.ts';
import type { CommandLine } from './face.ts';
import { printAll } from './print-all.ts';

export async function listGrants(
  face: CommandLine,
  options: { readonly json?: boolean; readonly conversation?: string },
): Promise<number> {
  return withGrants(face, async (grants) => {
    const { conversation } = options;
    const holdsHere = ({ conversationId }: Grant): boolean =>
      conversation === undefined || conversationId === undefined || conversationId === conversation;
    // Not `list`, which gives secrets in patterns as they are.
    const found = (await grants.all()).filter(holdsHere);
    if (options.json === true) {
      const shown = found.map((grant) => ({ ...grant, uses: grant.uses ?? 0, isExpired: isExpired(grant) }));
      await printAll(process.stdout, `${JSON.stringify({ grants: shown })}\n`);
      return 0;
    }
    if (found.length === 0) process.stderr.write('Nothing is allowed beyond the defaults and the settings.\n');
    await printAll(process.stdout, found.map(grantLines).join(''));
    return 0;
  });
}

export async function revokeGrants(
  face: CommandLine,
  id: string | undefined,
  options: { readonly all?: boolean },
): Promise<number> {
  if ((id === undefined) !== (options.all === true)) {
    throw new MisuseFailure(
      'Name one grant, or all of them: handrail grants revoke ID, or handrail grants revoke --all',
    );
  }
  return withGrants(face, async (grants) => {
    const known = await grants.all();
    const wanted = id === undefined ? known : known.filter((grant) => grant.id === id);
    const found = wanted.length === 0 && id !== undefined ? known.filter((grant) => grant.id.startsWith(id)) : wanted;
    if (id !== undefined && found.length !== 1) {
      const problem = found.length === 0 ? `There is no grant ${id.slice(0, 60)}.` : `${id} begins several grants.`;
      throw new MisuseFailure(`${problem} \`handrail grants\` lists them.`);
    }
    for (const grant of found) await grants.revoke(grant.id);
    process.stderr.write(`Revoked ${found.length === 1 ? '1 grant' : `${found.length} grants`}.\n`);
    return 0;
  });
}

async function withGrants(face: CommandLine, work: (grants: Handrail['grants']) => Promise<number>): Promise<number> {
  const handrail = await face.open({ needsNoWorkspace: true });
  try {
    return await work(handrail.grants);
  } finally {
    await handrail.close();
  }
}

const isExpired = ({ expiresAt }: Grant): boolean => expiresAt !== undefined && expiresAt <= new Date().toISOString();

function grantLines(grant: Grant): string {
  const { id, tool, pattern, scope, conversationId, origin, createdAt, expiresAt, usedAt, uses = 0 } = grant;
  const reach = scope === 'always' ? 'always' : `in conversation ${conversationId ?? '?'}`;
  const used = uses === 0 ? 'not used yet' : `used ${uses} times, last ${minute(usedAt ?? '')}`;
  const end = expiresAt === undefined ? '' : `, ${isExpired(grant) ? 'expired' : 'until'} ${minute(expiresAt)}`;
  const words = escapeInvisible(`${tool}: ${pattern}`, 'nothing');
  return `${id}  ${words}\n  ${reach}, allowed ${minute(createdAt)} (${escapeInvisible(origin, 'nothing')}), ${used}${end}\n`;
}

/** 2026-01-31T12:00:00.000Z: the minute is enough. */
const minute = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;
