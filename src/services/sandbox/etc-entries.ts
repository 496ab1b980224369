/** Which parts of /etc commands see. What is not named here does not exist inside: shadow, ssh keys, service secrets. */

/** Small files and folders, copied once into a folder of ours: each bind mount of its own would cost every command 0.15 ms. */
export const copiedEntries = [
  'ImageMagick-6', 'ImageMagick-7', 'OpenCL', 'X11/rgb.txt', 'adjtime', 'bindresvport.blacklist', 'debian_version',
  'dictionaries-common', 'emacs', 'ethertypes', 'gai.conf', 'gprofng.rc', 'groff', 'host.conf', 'inputrc',
  'issue', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'locale.alias', 'locale.conf', 'locale.gen', 'lsb-release',
  'lynx', 'magic', 'magic.mime', 'mailcap', 'manpath.config', 'mime.types', 'mtab', 'nanorc', 'netconfig', 'networks',
  'nsswitch.conf', 'openal', 'os-release', 'papersize', 'perl', 'pki/ca-trust/extracted', 'pki/tls/certs',
  'pki/tls/openssl.cnf', 'protocols', 'pulse', 'python3', 'python3.9', 'python3.10', 'python3.11', 'python3.12',
  'python3.13', 'python3.14', 'redhat-release', 'rpc', 'services', 'sgml', 'shells', 'ssl/cert.pem', 'ssl/openssl.cnf',
  'terminfo', 'texmf', 'timezone', 'vim', 'vimrc', 'wgetrc', 'xattr.conf', 'xml',
]; // prettier-ignore

/** Large, or changed by the machine while we run: bound as they are, read-only. Java keeps its configuration in a folder per version. */
export const boundEntries = ['alternatives', 'fonts', 'ld.so.cache', 'ssl/certs'];

export const isJavaFolder = (name: string): boolean => /^java(-\d+)?(-openjdk)?$/.test(name) || name === 'maven';

export type Accounts = { readonly name: string; readonly uid: number; readonly gid: number; readonly home: string };

/** passwd(5): the sandbox's user and the two that programs expect to exist. The machine's own users are nobody's business. */
export function passwdText({ name, uid, gid, home }: Accounts): string {
  return [
    'root:x:0:0:root:/root:/usr/sbin/nologin',
    `${name}:x:${uid}:${gid}:Handrail sandbox:${home}:/bin/bash`,
    ...(uid === 65534 ? [] : ['nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin']),
    '',
  ].join('\n');
}

export function groupText({ name, gid }: Accounts): string {
  return ['root:x:0:', `${name}:x:${gid}:`, ...(gid === 65534 ? [] : ['nogroup:x:65534:']), ''].join('\n');
}

export const sandboxUser = 'handrail';
export const hostName = 'handrail';

/** Without the machine's network its names mean nothing; with it they are the machine's own. */
export function hostsText(machineHosts: string | undefined): string {
  return machineHosts ?? `127.0.0.1 localhost ${hostName}\n::1 localhost ip6-localhost ip6-loopback\n`;
}
