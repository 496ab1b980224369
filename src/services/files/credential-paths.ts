/** Knows where a Linux machine keeps keys, logins and browser profiles. */
import { readdir, readFile, realpath } from 'node:fs/promises';
import { isInside } from '../../base/is-inside.ts';

/** Below any user's home folder; a folder stands for everything in it. */
const belowHome = [
  '.ssh',
  '.gnupg',
  '.password-store',
  '.pki',
  '.authinfo',
  '.authinfo.gpg',
  '.netrc',
  '.Xauthority',
  '.ICEauthority',
  '.aws',
  '.azure',
  '.kube',
  '.oci',
  '.bluemix',
  '.databrickscfg',
  '.snowflake',
  '.snowsql',
  '.s3cfg',
  '.boto',
  '.passwd-s3fs',
  '.vault-token',
  '.config/gcloud',
  '.config/doctl',
  '.config/rclone',
  '.config/sops',
  '.config/age',
  '.terraform.d/credentials.tfrc.json',
  '.terraformrc',
  '.docker/config.json',
  '.config/containers/auth.json',
  '.local/share/containers/auth.json',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.gem/credentials',
  '.local/share/gem/credentials',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.nuget/NuGet/NuGet.Config',
  '.composer/auth.json',
  '.config/composer/auth.json',
  '.git-credentials',
  '.config/git/credentials',
  '.config/gh',
  '.config/hub',
  '.config/glab-cli',
  '.config/tea',
  '.subversion/auth',
  '.config/github-copilot',
  '.pgpass',
  '.my.cnf',
  '.mylogin.cnf',
  '.msmtprc',
  '.config/msmtp',
  '.fetchmailrc',
  '.config/op',
  '.config/configstore',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.kde/share/apps/kwallet',
  '.kde4/share/apps/kwallet',
  '.config/kwalletrc',
  '.local/share/gnome-keyring',
  '.config/1Password',
  '.config/Bitwarden',
  '.config/keepassxc',
  '.config/goa-1.0',
  '.mozilla',
  '.thunderbird',
  '.librewolf',
  '.waterfox',
  '.config/google-chrome',
  '.config/google-chrome-beta',
  '.config/google-chrome-unstable',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  '.config/microsoft-edge-beta',
  '.config/microsoft-edge-dev',
  '.config/vivaldi',
  '.config/opera',
  '.config/Signal',
  '.config/Slack',
  '.config/discord',
  '.config/Element',
  '.local/share/TelegramDesktop',
  '.config/evolution',
  '.local/share/evolution',
  '.local/share/geary',
  '.config/geary',
  'snap/firefox',
  'snap/chromium',
  'snap/brave',
  'snap/thunderbird',
  'snap/opera',
  'snap/bitwarden',
  '.var/app/org.mozilla.firefox',
  '.var/app/org.mozilla.Thunderbird',
  '.var/app/com.google.Chrome',
  '.var/app/org.chromium.Chromium',
  '.var/app/com.brave.Browser',
  '.var/app/com.microsoft.Edge',
  '.var/app/com.bitwarden.desktop',
  '.var/app/org.keepassxc.KeePassXC',
  '.claude.json',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.gemini/oauth_creds.json',
  '.local/share/opencode/auth.json',
  '.huggingface/token',
  '.cache/huggingface/token',
  '.kaggle/kaggle.json',
  '.electrum',
  '.bitcoin',
  '.ethereum/keystore',
  '.config/solana',
  '.local/share/sops',
] as const;

const ofTheMachine = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/security/opasswd',
  '/etc/krb5.keytab',
  '/etc/ssl/private',
  '/etc/pki/tls/private',
  '/etc/letsencrypt/archive',
  '/etc/letsencrypt/live',
  '/etc/letsencrypt/accounts',
  '/etc/NetworkManager/system-connections',
  '/etc/wpa_supplicant',
  '/etc/wireguard',
  '/etc/ppp/chap-secrets',
  '/etc/ppp/pap-secrets',
  '/var/lib/bluetooth',
  '/var/lib/sss/db',
  '/var/lib/samba/private',
  '/var/lib/krb5kdc',
  '/run/credentials',
  '/run/secrets',
  '/dev',
  '/proc/kcore',
  '/proc/kmsg',
  '/proc/keys',
  '/proc/sysrq-trigger',
  '/sys/kernel/security',
  '/sys/firmware/efi/efivars',
] as const;

const patternsOfTheMachine: readonly RegExp[] = [
  /^\/etc\/ssh\/[^/]*_key$/,
  // environ, mem, root, fd, cwd of any process: its secrets, or a way around every other rule (proc(5)).
  /^\/proc\/(?:\d+|self|thread-self)(?:\/|$)/,
  /^\/run\/user\/\d+\/(?:containers\/auth\.json|keyring|gnupg|kwallet5?|\.?vault-token)(?:\/|$)/,
];

export type CredentialPlaces = {
  contains(realPath: string): boolean;
  /** A place of that kind below `folder`, if there is one by name or by pattern; for operations on whole trees. */
  firstBelow(folder: string): string | undefined;
};

/** Shared memory is a file system for everyone's ordinary files, although it lies in /dev. */
const notCredentials = '/dev/shm';

/** Looks once at the homes of this machine's users, because a credential folder may be a link to elsewhere. */
export async function findCredentialPlaces(
  homes: readonly string[],
  passwdFile = '/etc/passwd',
): Promise<CredentialPlaces> {
  const everyHome = new Set([...homes, '/root', ...(await homesOfUsers(passwdFile))]);
  const folders: string[] = [...ofTheMachine];
  for (const home of everyHome) folders.push(...(await placesOfHome(home)));
  const places = [...new Set(folders)];
  const known = new Set(places);
  const isPlace = (path: string): boolean => {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
      if (known.has(path.slice(0, end))) return true;
    return false;
  };
  return {
    contains: (path) =>
      !isInside(path, notCredentials) && (isPlace(path) || patternsOfTheMachine.some((pattern) => pattern.test(path))),
    firstBelow: (folder) =>
      places.find((place) => place !== folder && isInside(place, folder)) ??
      ['/proc', '/etc/ssh', '/run/user'].find((place) => isInside(place, folder)),
  };
}

async function homesOfUsers(passwdFile: string): Promise<readonly string[]> {
  const passwd = await readFile(passwdFile, 'utf8').catch(() => ''); // Absent in minimal containers: then only the known homes count.
  const fromPasswd = passwd.split('\n').map((line) => line.split(':')[5] ?? '');
  const fromFolder = (await readdir('/home').catch(() => [])).map((name) => `/home/${name}`); // Users of LDAP and the like are not in passwd.
  return [...fromPasswd, ...fromFolder].filter(
    (home) =>
      home.startsWith('/') && home !== '/' && !/^\/(?:usr|bin|sbin|dev|proc|run|nonexistent)(?:\/|$)/.test(home),
  );
}

async function placesOfHome(home: string): Promise<readonly string[]> {
  const realHome = await realpath(home).catch(() => undefined); // A home that is not there may still be made: its name counts.
  const names = belowHome.flatMap((name) =>
    realHome === undefined || realHome === home ? [`${home}/${name}`] : [`${home}/${name}`, `${realHome}/${name}`],
  );
  if (realHome === undefined) return names;
  const linked = await Promise.all(
    ['', '.config', '.local/share', '.docker', '.var/app', 'snap'].map((folder) => linkedPlaces(realHome, folder)),
  );
  return [...names, ...linked.flat()];
}

/** Where the credential places that are links (or lie below one) really are; one reading per folder instead of one look per place. */
async function linkedPlaces(home: string, folder: string): Promise<readonly string[]> {
  const base = folder === '' ? home : `${home}/${folder}`;
  const entries = await readdir(base, { withFileTypes: true }).catch(() => []); // Missing or not ours to read: nothing to follow.
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isSymbolicLink()) continue;
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    for (const place of belowHome.filter((known) => isInside(known, name))) {
      const real = await realpath(`${home}/${place}`).catch(() => undefined); // A dangling link hides nothing.
      if (real !== undefined && real !== '/') found.push(real);
    }
  }
  return found;
}
