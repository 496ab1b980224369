/** Finds keys of the settings that hold a secret in plain text, by their names. */

const secretWords = new Set([
  'password',
  'passwd',
  'pass',
  'passphrase',
  'pwd',
  'secret',
  'secrets',
  'token',
  'apikey',
  'apitoken',
  'accesstoken',
  'authtoken',
  'bearer',
  'authorization',
  'credential',
  'credentials',
  'privatekey',
  'secretkey',
  'accesskey',
  'clientsecret',
  'cookie',
]);
const secretKeys = new Set([
  'api key',
  'access key',
  'secret key',
  'private key',
  'auth key',
  'signing key',
  'encryption key',
  'master key',
]);

/** The path of the first such key whose value is a text that is not empty; undefined when there is none. */
export function findPlainSecret(value: unknown, path: readonly PropertyKey[] = []): readonly PropertyKey[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [key, child] of Object.entries(value)) {
    const here = [...path, isList ? Number(key) : key];
    if (typeof child === 'string' && child !== '' && !isList && isSecretName(key)) return here;
    const found = findPlainSecret(child, here);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `keyName` and its like name a secret and are fine: the last word counts. */
function isSecretName(key: string): boolean {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const last = words.at(-1);
  if (last === undefined) return false;
  return secretWords.has(last) || secretKeys.has(words.slice(-2).join(' ')) || (words.length === 1 && last === 'key');
}
