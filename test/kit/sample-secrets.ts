/**
 * Strings with the form of keys and no meaning: made of pieces, so that no scanner of a code host takes this file for a leak.
 */

const join = (...parts: readonly string[]): string => parts.join('');
const letters = (length: number): string =>
  'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4'.repeat(3).slice(0, length);
const hexDigits = (length: number): string => '0123456789abcdef'.repeat(8).slice(0, length);

/** By maker. */
export const sampleKeys: Readonly<Record<string, string>> = {
  openai: join('sk-', 'proj-', letters(48)),
  anthropic: join('sk-', 'ant-api03-', letters(80)),
  groq: join('gs', 'k_', letters(52)),
  aws: join('AK', 'IA', 'IOSFODNN7EXAMPLQ'.replaceAll(/[018-9]/g, 'Q')),
  github: join('gh', 'p_', letters(36)),
  githubFine: join('github', '_pat_', letters(60)),
  gitlab: join('gl', 'pat-', letters(20)),
  slack: join('xo', 'xb-', '123456789012-', letters(24)),
  stripe: join('sk_', 'live_', letters(24)),
  google: join('AI', 'za', letters(35)),
  npm: join('np', 'm_', letters(36)),
  pypi: join('py', 'pi-', letters(80)),
  huggingFace: join('h', 'f_', letters(34)),
  sendGrid: join('S', 'G.', letters(22), '.', letters(43)),
  databricks: join('da', 'pi', hexDigits(32)),
  jwt: join('ey', 'JhbGciOiJIUzI1NiJ9', '.', 'ey', 'JzdWIiOiIxMjM0NTY3ODkwIn0', '.', letters(43)),
};

/** Of letters that stand in no key above. */
const backwards = (length: number): string => [...letters(length)].toReversed().join('');
const keyLines = [backwards(64), backwards(63), `${backwards(30)}==`];
export const samplePrivateKey = [
  join('-----BEGIN ', 'RSA PRIVATE KEY-----'),
  ...keyLines,
  join('-----END ', 'RSA PRIVATE KEY-----'),
].join('\n');
/** What must be nowhere. */
export const samplePrivateKeyLines: readonly string[] = keyLines;
