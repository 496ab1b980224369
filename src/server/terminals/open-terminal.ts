/** The two terminals that a page shows: one beside a conversation's shell, and a temporary one that ends with the server. */
import { ToolFailure } from '../../contract/failure.ts';
import type { AllTerminals } from '../../contract/terminals.ts';
import type { WebTerminal } from '../../contract/web-terminals.ts';

/** No conversation has it: calls and chats cannot name a terminal of this list. */
export const temporaryOwner = '_temporary';
const temporaryName = 'temporary';
const sessionName = 'session';

export type PersonTerminals = {
  open(
    owner: { readonly id: string; readonly workspace: string } | undefined,
    size: { readonly columns: number; readonly rows: number },
  ): Promise<WebTerminal>;
  /** Ends the temporary one. */
  close(): Promise<void>;
};

export function createPersonTerminals(parts: {
  readonly terminals: () => Promise<AllTerminals>;
  /** Where the temporary one works. */
  readonly scratchFolder: () => Promise<string>;
}): PersonTerminals {
  let first: Promise<void> | undefined;

  /** A server that was killed could not end its own. */
  async function endTemporary(): Promise<void> {
    await (await parts.terminals()).close(temporaryOwner, temporaryName).catch(ignoreMissing);
  }

  return {
    async open(owner, size) {
      if (owner === undefined) await (first ??= endTemporary());
      const key = {
        conversation: owner?.id ?? temporaryOwner,
        name: owner === undefined ? temporaryName : sessionName,
      };
      const workspace = owner?.workspace ?? (await parts.scratchFolder());
      const place = { conversation: key.conversation, workspace };
      const start = owner === undefined ? { workingDir: '~' } : {};
      await (
        await parts.terminals()
      )
        .open(place, { name: key.name, ...size, ...start, waitMs: 0 })
        // Opened before, maybe by another page: its screen is what is wanted.
        .catch((error: unknown) => {
          if (!(error instanceof ToolFailure && error.code === 'conflict')) throw error;
        });
      return key;
    },
    async close() {
      if (first === undefined) return;
      await first.catch(() => {
        // Whoever opened it was told.
      });
      await endTemporary();
    },
  };
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof ToolFailure && error.code === 'not_found')) throw error;
}
