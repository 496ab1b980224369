/** The secret store of this installation. */
import type { StateFolders } from '../state-folder/resolve-state-folders.ts';
import { createSystemKeyring } from './keyring.ts';
import { type OpenRedactor, openRedactor } from './open-redactor.ts';
import { createSecretStore, type SecretStore } from './secret-store.ts';

export type Secrets = SecretStore & OpenRedactor;

/** A state folder that was moved keeps everything in itself: the desktop's keyring is left alone then. */
export function openSecrets(folders: StateFolders, environment: Readonly<Record<string, string | undefined>>): Secrets {
  const secrets = createSecretStore({
    file: folders.secretsFile,
    environment,
    keyring: folders.isMoved ? undefined : createSystemKeyring(),
  });
  return { ...secrets, ...openRedactor({ folders, environment, secrets }) };
}
