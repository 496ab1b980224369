/** Takes secrets out of what a job leaves on disk: those that the asking program has named, and what looks like one. */
import { createRedactor } from '../secrets/create-redactor.ts';
import { createSecretVault, vaultFolder } from '../secrets/secret-vault.ts';
import type { StartRequest } from './protocol.ts';

export function jobRedactor({ secrets, sources }: Pick<StartRequest, 'secrets' | 'sources'>) {
  const { stored = [], fromEnvironment = [] } = secrets ?? {};
  return createRedactor({ stored, fromEnvironment, vault: createSecretVault(vaultFolder(sources.folders)) });
}
