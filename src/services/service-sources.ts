/** What the services are made from: all that the program knows of itself. */
import type { Confirmations } from '../contract/handrail.ts';
import type { KnownSecrets, RedactorSource } from '../contract/redaction.ts';
import type { Settings } from '../contract/settings.ts';
import type { openNotifications } from './notifications/open-notifications.ts';
import type { Viewing } from './viewer/open-viewing.ts';
import type { StateFolders } from './state-folder/resolve-state-folders.ts';

export type ServiceSources = {
  readonly folders: StateFolders;
  readonly settings: Settings;
  /** Omitted: everything that the settings say is the user's own. */
  readonly confirmations?: Pick<Confirmations, 'pending' | 'trust'>;
  /** Omitted: what is kept is kept as it is. */
  readonly redactor?: RedactorSource;
  /** For programs of ours that outlive this one. Omitted: none. */
  readonly knownSecrets?: () => Promise<KnownSecrets>;
  /** Who is told of what, whatever the settings are. Omitted: opened anew. */
  readonly notices?: ReturnType<typeof openNotifications>;
  /** Who shows files, likewise. */
  readonly viewing?: Viewing;
  /** The user's own home. */
  readonly userHome: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where the files of the program lie, as it runs now: what it starts as programs of its own is found there. */
  readonly programFolder: string;
};
