/**
 * What keys look like. A form needs letters that no ordinary text begins with, so that hashes, UUIDs, checksums and integrity
 * strings are left alone; where only a name in front says it (`password=`), the value is judged as well.
 */

export type KeyForm = {
  readonly name: string;
  /** How it begins: told apart by these letters alone. */
  readonly starts: readonly string[];
  /** What follows, as a regular expression whose time is linear. */
  readonly rest: string;
  /** Where its maker describes it. */
  readonly source: string;
};

const word = '[A-Za-z0-9]';
const wordDash = '[A-Za-z0-9_-]';

/** Each stands by itself: nothing that could belong to it comes before. */
export const keyForms: readonly KeyForm[] = [
  {
    name: 'OpenAI, Anthropic, OpenRouter, DeepSeek and whoever took over their form',
    starts: ['sk-'],
    rest: `${wordDash}{20,}`,
    source: 'https://platform.openai.com/docs/api-reference/authentication',
  },
  { name: 'Groq', starts: ['gsk_'], rest: `${word}{40,}`, source: 'https://console.groq.com/docs/quickstart' },
  { name: 'xAI', starts: ['xai-'], rest: `${word}{40,}`, source: 'https://docs.x.ai/docs/tutorial' },
  {
    name: 'Perplexity',
    starts: ['pplx-'],
    rest: `${word}{40,}`,
    source: 'https://docs.perplexity.ai/getting-started/quickstart',
  },
  {
    name: 'Hugging Face',
    starts: ['hf_'],
    rest: `${word}{30,}`,
    source: 'https://huggingface.co/docs/hub/security-tokens',
  },
  {
    name: 'Replicate',
    starts: ['r8_'],
    rest: `${word}{30,}`,
    source: 'https://replicate.com/docs/topics/security/api-tokens',
  },
  {
    name: 'AWS access key id',
    starts: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    rest: '[A-Z2-7]{16}(?![A-Za-z0-9])',
    source: 'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html',
  },
  {
    name: 'GitHub',
    starts: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    rest: `${word}{36,}`,
    source: 'https://github.blog/engineering/behind-githubs-new-authentication-token-formats/',
  },
  {
    name: 'GitHub, fine-grained',
    starts: ['github_pat_'],
    rest: '[A-Za-z0-9_]{22,}',
    source:
      'https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github',
  },
  {
    name: 'GitLab',
    starts: ['glpat-', 'glptt-', 'gldt-', 'glrt-', 'glsoat-', 'glcbt-', 'glft-', 'glagent-'],
    rest: `${wordDash}{20,}`,
    source: 'https://docs.gitlab.com/security/tokens/#token-prefixes',
  },
  {
    name: 'Slack',
    starts: ['xoxa-', 'xoxb-', 'xoxe-', 'xoxe.', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
    rest: '[A-Za-z0-9.-]{10,}',
    source: 'https://api.slack.com/concepts/token-types',
  },
  {
    name: 'Slack web hook',
    starts: ['hooks.slack.com/services/'],
    rest: '[A-Za-z0-9/]{20,}',
    source: 'https://api.slack.com/messaging/webhooks',
  },
  {
    name: 'Stripe',
    starts: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'],
    rest: `${word}{16,}`,
    source: 'https://docs.stripe.com/keys',
  },
  {
    name: 'Google API key',
    starts: ['AIza'],
    rest: `${wordDash}{35}`,
    source: 'https://cloud.google.com/docs/authentication/api-keys',
  },
  {
    name: 'Google OAuth',
    starts: ['ya29.', 'GOCSPX-'],
    rest: `${wordDash}{20,}`,
    source: 'https://developers.google.com/identity/protocols/oauth2',
  },
  {
    name: 'npm',
    starts: ['npm_'],
    rest: `${word}{36,}`,
    source: 'https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/',
  },
  {
    name: 'PyPI',
    starts: ['pypi-'],
    rest: `${wordDash}{50,}`,
    source: 'help of the Python Package Index, "API tokens"',
  },
  {
    name: 'SendGrid',
    starts: ['SG.'],
    rest: `${wordDash}{20,24}\\.${wordDash}{39,50}`,
    source: 'https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys',
  },
  {
    name: 'DigitalOcean',
    starts: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    rest: '[a-f0-9]{64}',
    source: 'https://docs.digitalocean.com/reference/api/create-personal-access-token/',
  },
  {
    name: 'Databricks',
    starts: ['dapi'],
    rest: '[a-f0-9]{32}',
    source: 'https://docs.databricks.com/en/dev-tools/auth/pat.html',
  },
  {
    name: 'HashiCorp Vault',
    starts: ['hvs.', 'hvb.'],
    rest: `${wordDash}{20,}`,
    source: 'https://developer.hashicorp.com/vault/docs/concepts/tokens',
  },
  {
    name: 'Shopify',
    starts: ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    rest: '[a-fA-F0-9]{32}',
    source: 'https://shopify.dev/docs/apps/build/authentication-authorization',
  },
  { name: 'Linear', starts: ['lin_api_'], rest: `${word}{32,}`, source: 'https://linear.app/developers/graphql' },
  {
    name: 'Tailscale',
    starts: ['tskey-'],
    rest: `${wordDash}{20,}`,
    source: 'https://tailscale.com/kb/1252/key-prefixes',
  },
  { name: 'age', starts: ['AGE-SECRET-KEY-1'], rest: '[A-Z0-9]{50,}', source: 'https://age-encryption.org/v1' },
  {
    name: 'JSON Web Token',
    starts: ['eyJ'],
    rest: `${wordDash}{8,}\\.eyJ${wordDash}{8,}\\.${wordDash}{8,}`,
    source: 'https://www.rfc-editor.org/rfc/rfc7519',
  },
];

/** `scheme://user:password@host`: the password alone. https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1 */
export const addressForm = `:\\/\\/[^\\s/:@"'<>\`]{0,100}:(?<value>[^\\s/@"'<>\`]{3,200})(?=@[A-Za-z0-9\\[])`;

/** The number before the colon is the bot's name. https://core.telegram.org/bots/api#authorizing-your-bot */
export const telegramForm = `:(?<value>AA${wordDash}{33})(?!${wordDash})`;

/**
 * https://www.rfc-editor.org/rfc/rfc7468: the body alone, also where the end is missing, with line ends escaped as in JSON, with
 * numbered lines and in diffs. Its lines are long; code that only names the marker has none behind it.
 */
const lineEnd = '(?:\\\\+[nr]|[\\s"\'+,|>]|-(?!-)|\\d{1,6}[:|\\t])';
export const privateKeyForm =
  '-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----' +
  `(?:${lineEnd}*(?:Proc-Type|DEK-Info|Version|Comment):[^\\n\\\\]{0,100}){0,4}${lineEnd}*` +
  `(?<value>[A-Za-z0-9+/=]{16,}(?:${lineEnd}+[A-Za-z0-9+/=]{16,})*(?:${lineEnd}+[A-Za-z0-9+/=]+(?=${lineEnd}*-----END))?)`;

/** The last word of a name whose value is a secret, in lower case: `password=…`, `"apiKey": "…"`, `--token …`, `DB_PASSWORD: …`. */
const nameWords = [
  ...['password', 'passwd', 'passphrase', 'passwort', 'secret', 'token', '_auth', '_authtoken', 'authorization'],
  ...['api', 'access', 'secret', 'account', 'private'].flatMap((first) =>
    ['', '_', '-'].map((between) => `${first}${between}key`),
  ),
];
/** As variables of the environment end. */
const environmentWords = ['_KEY', '_PASS', '_PWD', '_PAT'];
const schemes = ['bearer', 'basic'];

/** As it is written: `apiKey`, `ApiKey`, `API_KEY`, `apikey`. */
const inCases = (words: readonly string[]): readonly string[] => [
  ...new Set(
    words.flatMap((word) => [word, capital(word), capitals(word), capital(capitals(word)), word.toUpperCase()]),
  ),
];
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const capitals = (word: string): string => word.replace(/(?<=.)key$/, 'Key').replace('authtoken', 'authToken');

/** What the forms that a name or a scheme announces begin with. */
export const announcements: readonly string[] = [...inCases(nameWords), ...environmentWords, ...inCases(schemes)];

/** https://www.rfc-editor.org/rfc/rfc7235#section-4.2, as it stands in requests, command lines and code. */
export const headerForm = `(?:${inCases(schemes).join('|')}) +(?<header>[A-Za-z0-9._~+/=-]{12,})`;

export const assignedForm =
  `(?:${[...inCases(nameWords), ...environmentWords].join('|')})(?:\\\\*["'])?(?:\\s{0,3}(?:=>|[:=])\\s{0,3}| +(?=["']?[A-Za-z0-9+/_]{0,100}[0-9]))` +
  '\\\\*(?<quote>["\'`])?(?<assigned>[^\\s"\'`<>(){}\\[\\],;\\\\]{8,256})(?![(\\[])';

/** Whether what stands behind such a name is a value: not another name, a place for one, or an ordinary word. */
export function isPlausible(value: string, isQuoted: boolean): boolean {
  if (value.startsWith('[secret:') || (!isQuoted && !/[0-9]/.test(value))) return false;
  if (/^(?:\$|%|\*{3}|x{4}|\.{3}|-{3}|env[.:]|process\.|os\.|self\.|this\.|https?:)/i.test(value)) return false;
  if (
    /^(?:your|my|change|example|dummy|placeholder|redacted|undefined|required|optional)[-_A-Z]?/i.test(value) &&
    !/\d{3}/.test(value)
  )
    return false;
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  const hasDigit = /[0-9]/.test(value);
  // A path of names, as in code: config.tokens.first
  if (/^[A-Za-z_$][\w$]*(?:[.?]+[A-Za-z_$][\w$]*)+$/.test(value) && !/\d{2}/.test(value)) return false;
  if (new Set(value).size < 5) return false;
  return isQuoted ? kinds >= 2 : hasDigit && kinds >= 2;
}
