/** The redactor of this installation, for everything of the program that lasts. */
import { statSync } from 'node:fs';
import type { KnownSecrets, Redactor, RedactorSource } from '../../contract/redaction.ts';
import type { StateFolders } from '../state-folder/resolve-state-folders.ts';
import { minSecretChars, secretsOfEnvironment } from './known-secrets.ts';
import type { SecretStore } from './secret-store.ts';
import { createSecretVault, vaultFolder } from './secret-vault.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A secret may be set by another process while this one runs. */
const lookEveryMs = 500;

export type SecretSources = {
  readonly folders: Pick<StateFolders, 'data' | 'secretsFile'>;
  readonly environment: Environment;
  readonly secrets: Pick<SecretStore, 'values'>;
};

export type OpenRedactor = {
  readonly redactor: RedactorSource;
  /** For a program of ours that has neither the environment nor the desktop's keyring. */
  knownSecrets(): Promise<KnownSecrets>;
};

export function openRedactor({ folders, environment, secrets }: SecretSources): OpenRedactor {
  const vault = createSecretVault(vaultFolder(folders));
  let state: { readonly redactor: Promise<Redactor>; readonly stamp: string } | undefined;
  let lookedAtMs = -Infinity;

  async function knownSecrets(): Promise<KnownSecrets> {
    const stored = (await secrets.values()).filter(({ value }) => value.length >= minSecretChars);
    return { stored, fromEnvironment: secretsOfEnvironment(environment) };
  }

  async function make(): Promise<Redactor> {
    const { createRedactor } = await import('./create-redactor.ts');
    return createRedactor({ ...(await knownSecrets()), vault });
  }

  const redactor = (): Promise<Redactor> => {
    const nowMs = performance.now();
    if (state !== undefined && nowMs - lookedAtMs < lookEveryMs) return state.redactor;
    lookedAtMs = nowMs;
    const stamp = stampOf(folders.secretsFile);
    if (state?.stamp !== stamp) state = { redactor: make(), stamp };
    return state.redactor;
  };
  return { redactor, knownSecrets };
}

function stampOf(file: string): string {
  const info = statSync(file, { throwIfNoEntry: false });
  return info === undefined ? '' : `${info.ino} ${info.mtimeMs} ${info.size}`;
}
