/**
 * What the first start, the pages Models, Backup and About and whoever picks a folder say to the server.
 *
 * | method and path | takes | gives |
 * |---|---|---|
 * | GET /api/folders | ?path= (omitted: home) | FolderListing, or `not_found`, or `invalid_input` |
 * | GET /api/welcome | | WebWelcome |
 * | PATCH /api/welcome | WebWelcomeChange | WebWelcome, or `misuse` for a folder that cannot be a workspace |
 * | GET /api/models | | ModelSetup: looks for local servers, which takes up to 300 ms |
 * | POST /api/models/test | ModelTrial | ModelTrialResult, within 30 s |
 * | GET /api/secrets | | WebSecrets: names, never a value |
 * | POST /api/secrets | WebNewSecret | WebSecretKept |
 * | DELETE /api/secrets/:name | | Done |
 * | GET /api/upkeep | | WebUpkeep |
 * | POST /api/backups | | Backup |
 * | GET /api/conversations.jsonl | | all conversations as a file, one JSON object per line |
 */
import type { Backup, StatePlace } from './upkeep.ts';

export type WebWelcome = {
  /** Somebody went through the first steps, or left them. */
  readonly isDone: boolean;
  /** Where new chats work that name no folder. Omitted: each gets a fresh one, or the one that the server was started in. */
  readonly workspace?: string;
};

/** `workspace` null: fresh folders again. */
export type WebWelcomeChange = { readonly isDone?: boolean; readonly workspace?: string | null };

export type WebSecrets = { readonly names: readonly string[]; readonly place: string };

/** `name`: as of a variable of the environment. */
export type WebNewSecret = { readonly name: string; readonly value: string };

/** `setAside`: a damaged store that was moved out of the way. */
export type WebSecretKept = { readonly kind: 'keyring' | 'file'; readonly setAside?: string };

export type WebUpkeep = { readonly places: readonly StatePlace[]; readonly backups: readonly Backup[] };
