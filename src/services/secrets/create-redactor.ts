/** Takes secrets out of what lasts and puts them back where they are needed. */
import { mapTexts } from '../../base/map-texts.ts';
import type { KnownSecrets, Redactor } from '../../contract/redaction.ts';
import { createFindSecrets } from './find-secrets.ts';
import { minSecretChars, spellingsOf } from './known-secrets.ts';
import { createOverlapAtEnd } from './overlap-at-end.ts';
import { createPrivateKeyLines } from './private-key-lines.ts';
import { startStream } from './redact-stream.ts';
import type { SecretVault } from './secret-vault.ts';

export type RedactorOptions = KnownSecrets & { readonly vault: SecretVault };

/** Made by us alone: nobody knows the digits of a secret that they have not been shown redacted. */
const placeholder = /\[secret:(?:[A-Za-z_][A-Za-z0-9_]{0,199}:)?([0-9a-f]{12})\]/g;

export function createRedactor({ stored, fromEnvironment, vault }: RedactorOptions): Redactor {
  const names = new Map<string, string>();
  for (const { name, value } of [...fromEnvironment, ...stored]) {
    for (const spelling of spellingsOf(value)) if (!names.has(spelling)) names.set(spelling, name);
  }
  const ofStore = new Set(stored.flatMap(({ value }) => spellingsOf(value)));
  const known = [...names.keys()];
  const findSecrets = createFindSecrets(known);
  let storedById: ReadonlyMap<string, string> | undefined;

  function hide(secret: string): string {
    if (!ofStore.has(secret)) vault.keep([secret]);
    const name = names.get(secret);
    return `[secret:${name === undefined ? '' : `${name}:`}${vault.idOf(secret)}]`;
  }

  function redact(text: string): string {
    if (text.length < minSecretChars) return text;
    const found = findSecrets(text);
    if (found.length === 0) return text;
    let kept = '';
    let at = 0;
    for (const { start, end } of found) {
      if (start < at) continue;
      kept += text.slice(at, start) + hide(text.slice(start, end));
      at = end;
    }
    return kept + text.slice(at);
  }

  function valueOf(id: string): string | undefined {
    storedById ??= new Map([...ofStore].map((secret) => [vault.idOf(secret), secret]));
    return storedById.get(id) ?? vault.find(id);
  }

  function restore(text: string, form?: 'json'): string {
    if (!text.includes('[secret:')) return text;
    return text.replaceAll(placeholder, (whole, id: string) => {
      const value = valueOf(id);
      if (value === undefined) return whole;
      return form === 'json' ? JSON.stringify(value).slice(1, -1) : value;
    });
  }

  const overlaps = known.map(createOverlapAtEnd);
  const mayBegin = (text: string): number => Math.max(0, ...overlaps.map((overlap) => overlap(text)));

  return {
    redact,
    redactAll(value) {
      const lines = createPrivateKeyLines(hide);
      return mapTexts(value, (text) => lines.take(redact(text)));
    },
    redactStream: () => startStream({ redact, find: findSecrets, mayBegin }),
    restore,
    restoreAll: (value) => mapTexts(value, (text) => restore(text)),
    findLost(value) {
      let lost: string | undefined;
      mapTexts(value, (text) => {
        lost ??= text.match(placeholder)?.find((each) => restore(each) === each);
        return text;
      });
      return lost;
    },
  };
}
