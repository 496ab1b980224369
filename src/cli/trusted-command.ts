/** `handrail trusted`: what commands changed of files that this machine obeys later, for the user to look at and decide. */
import { diffLines } from '../base/diff-lines.ts';
import { escapeInvisible } from '../base/escape-invisible.ts';
import type { AsideFiles, AsideInfo } from '../contract/trusted.ts';
import type { CommandLine } from './face.ts';

async function withTrusted(face: CommandLine, use: (trusted: AsideFiles) => Promise<void>): Promise<number> {
  const handrail = await face.open({ needsNoWorkspace: true });
  try {
    await use(await handrail.trusted());
    return 0;
  } finally {
    await handrail.close();
  }
}

export function listTrusted(face: CommandLine, { json }: { readonly json?: boolean }): Promise<number> {
  return withTrusted(face, async (trusted) => {
    const all = await trusted.list();
    if (json === true) process.stdout.write(`${JSON.stringify(all, undefined, 2)}\n`);
    else if (all.length === 0) process.stdout.write('Nothing is set aside.\n');
    else for (const each of all) process.stdout.write(`${lineOf(each)}\n`);
  });
}

export function showTrusted(face: CommandLine, id: string, { json }: { readonly json?: boolean }): Promise<number> {
  return withTrusted(face, async (trusted) => {
    const view = await trusted.show(id);
    if (json === true) return void process.stdout.write(`${JSON.stringify(view, undefined, 2)}\n`);
    process.stdout.write(`${lineOf(view)}\n`);
    if (view.oldText === undefined || view.newText === undefined) {
      process.stdout.write(`(no text: ${view.bytes.toLocaleString('en-US')} bytes)\n`);
      return;
    }
    for (const { kind, content } of diffLines(view.oldText, view.newText).lines) {
      const sign = kind === 'added' ? '+' : kind === 'removed' ? '-' : kind === 'hunk' ? '' : ' ';
      process.stdout.write(`${sign}${escapeInvisible(content, 'nothing')}\n`);
    }
  });
}

export function acceptTrusted(face: CommandLine, id: string): Promise<number> {
  return withTrusted(face, async (trusted) => {
    const { path } = await trusted.accept(id);
    process.stderr.write(`${escapeInvisible(path, 'nothing')} is in place.\n`);
  });
}

export function dropTrusted(face: CommandLine, id: string): Promise<number> {
  return withTrusted(face, async (trusted) => {
    const { path } = await trusted.drop(id);
    process.stderr.write(`Threw the change of ${escapeInvisible(path, 'nothing')} away.\n`);
  });
}

/** Names come from commands: nothing in them may move the cursor. */
function lineOf({ id, workspace, path, what, entries, isNew, setAsideAt }: AsideInfo): string {
  const how = what === 'entries' ? `settings ${entries.join(', ')}` : isNew ? 'new' : 'changed';
  return escapeInvisible(
    `${id}  ${setAsideAt.slice(0, 16).replace('T', ' ')}  ${workspace}/${path}  ${how}`,
    'nothing',
  );
}
