/** Values that are secrets because of where they are kept: in our store, or in the program's environment under a key's name. */
import type { KnownSecret } from '../../contract/redaction.ts';

/** Shorter ones stand in ordinary text: "true" would be no secret, and everywhere. */
export const minSecretChars = 8;

const keyName = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASS|PAT|CREDENTIALS?|AUTH)$/;
/** Names that end likewise and hold no secret. */
const openName = /^(?:SSH_AUTH_SOCK|GPG_KEY|XAUTHORITY)$|PUBLIC_KEY$/;
const passwordInAddress = /^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:([^\s@]+)@/i;

/** By the names of the variables, and the passwords in addresses (DATABASE_URL and its like). */
export function secretsOfEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): readonly KnownSecret[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (value === undefined || value.length < minSecretChars) return [];
    if (keyName.test(name.toUpperCase()) && !openName.test(name)) return isPlace(value) ? [] : [{ name, value }];
    const password = passwordInAddress.exec(value)?.[1];
    if (password === undefined) return [];
    const spellings = [...new Set([password, decoded(password)])];
    return spellings.map((each) => ({ name, value: each }));
  });
}

/** `SSL_KEY=/etc/ssl/key.pem` names a file. */
const isPlace = (value: string): boolean => /^(?:\/|~\/|\.{1,2}\/)[\w./-]*$/.test(value);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign: it is meant as it is.
    return text;
  }
}

/**
 * How a value may be written elsewhere: as it is, as bytes, in JSON (and in JSON in JSON), in an address, in base64, in hex,
 * backwards. Base64 of a longer text holds it in one of three alignments, each without the characters that its neighbours touch.
 */
export function spellingsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const json = inJson(value);
  const spellings = [value, bytes.toString('latin1'), json, inJson(json), inAddress(value), bytes.toString('hex')];
  // In double quotes of a shell.
  spellings.push(
    value.replaceAll(/[\\"$`]/g, String.raw`\$&`),
    inAddress(value).replaceAll('%20', '+'),
    [...value].toReversed().join(''),
  );
  for (const [offset, start] of [0, 2, 3].entries()) {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const inner = text.slice(start, (offset + bytes.length) % 3 === 0 ? text.length : -1);
    spellings.push(inner, inner.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return [...new Set(spellings)].filter((spelling) => spelling.length >= minSecretChars);
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function inAddress(text: string): string {
  // Half a surrogate pair has no form there.
  return encodeURIComponent(text.toWellFormed());
}
