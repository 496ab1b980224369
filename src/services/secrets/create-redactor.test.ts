import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KnownSecret, Redactor } from '../../contract/redaction.ts';
import { sampleKeys, samplePrivateKey, samplePrivateKeyLines } from '../../../test/kit/sample-secrets.ts';
import { soak } from '../../../test/kit/soak.ts';
import { createRedactor } from './create-redactor.ts';
import { secretsOfEnvironment, spellingsOf } from './known-secrets.ts';
import { createSecretVault } from './secret-vault.ts';

let folder: string;
let redactor: Redactor;

const ownKey = { name: 'MY_SERVICE', value: 'correct horse/battery+staple "7"' };
const fromEnvironment = { name: 'DEPLOY_TOKEN', value: 'plain-words-of-a-token' };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-redactor-'));
  redactor = open();
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Another process has the same folder and knows what it is told. */
function open(stored: readonly KnownSecret[] = [ownKey], environment: readonly KnownSecret[] = [fromEnvironment]) {
  const vault = createSecretVault(join(folder, 'vault'));
  return createRedactor({ stored, fromEnvironment: environment, vault });
}

const mark = /\[secret:(?:[A-Z_]+:)?[0-9a-f]{12}\]/;

describe('key-shaped strings', () => {
  test.each(Object.entries(sampleKeys))('[A49] a key of the form of %s is hidden and comes back', (_, key) => {
    for (const text of [key, `the key is ${key}, keep it`, `{"k":"${key}"}`, `X='${key}'\n`, `a=${key}&b=1`]) {
      const kept = redactor.redact(text);
      expect(kept).not.toContain(key);
      expect(kept).toMatch(mark);
      expect(redactor.restore(kept)).toBe(text);
      expect(redactor.redact(kept)).toBe(kept);
    }
  });

  const named = [
    ['PASSWORD=hunter2hunter2', 'hunter2hunter2'],
    ['export DB_PASSWORD="tr0ub4dor&3"', 'tr0ub4dor&3'],
    ['{"apiKey": "0f8fad5b-d9cb-469f-a165-70867728950e"}', '0f8fad5b-d9cb-469f-a165-70867728950e'],
    ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzz12', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzz12'],
    ['Authorization: Bearer abcdef0123456789xyz', 'abcdef0123456789xyz'],
    ['curl -H "Authorization: Basic dXNlcjpwYXNzd29yZDEy" x', 'dXNlcjpwYXNzd29yZDEy'],
    ['postgres://app:s3cr3t-pw@db.example.org:5432/app', 's3cr3t-pw'],
    ['redis://:onlyapass1@127.0.0.1', 'onlyapass1'],
    ['tool --token abc123def456 --verbose', 'abc123def456'],
    ["secret: 'Zm9vYmFyYmF6MTIz'", 'Zm9vYmFyYmF6MTIz'],
    ['//registry.example.org/:_authToken=00112233-4455-6677-8899-aabbccddeeff', '00112233-4455-6677-8899-aabbccddeeff'],
    [String.raw`{"command":"export API_KEY=\"a1b2c3d4e5f6\""}`, 'a1b2c3d4e5f6'],
  ] as const;

  test.each(named)('[A49] %s: the value is hidden, the name stays', (text, value) => {
    const kept = redactor.redact(text);
    expect(kept).not.toContain(value);
    expect(kept.slice(0, 5)).toBe(text.slice(0, 5));
    expect(redactor.restore(kept)).toBe(text);
  });

  const harmless = [
    'commit 3f2a9c1b2d4e5f60718293a4b5c6d7e8f9012345',
    'id 0f8fad5b-d9cb-469f-a165-70867728950e',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="',
    'const token = await readToken(file);',
    'password: string; secret?: Buffer; token: CancellationToken',
    'const apiKey = process.env.OPENAI_API_KEY;',
    'password=${DB_PASSWORD} api_key=<your key> token=$TOKEN',
    'https://example.org:8080/a@b and git@github.com:owner/name.git',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4',
    'the task-oriented, risk-averse sk-learn user of a disk-space-checking-and-cleaning-tool',
    "if (text.includes('-----BEGIN PRIVATE KEY-----')) return parse(text);",
    'max_tokens: 4096, total_tokens=123456789, tokens: 12',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@host',
  ];

  test.each(harmless)('[A49] is no secret: %s', (text) => {
    expect(redactor.redact(text)).toBe(text);
  });

  const asJson = JSON.stringify({ new_string: samplePrivateKey });
  const keyTexts: readonly (readonly [string, unknown])[] = [
    ['a text', `before\n${samplePrivateKey}\nafter`],
    ['JSON', asJson],
    ['JSON in JSON', JSON.stringify({ input: asJson })],
    [
      'numbered lines',
      samplePrivateKey
        .split('\n')
        .map((line, at) => `${at + 1}: ${line}`)
        .join('\n'),
    ],
    [
      'a diff',
      samplePrivateKey
        .split('\n')
        .map((line) => `+${line}`)
        .join('\n'),
    ],
    ['lines of a list', samplePrivateKey.split('\n').map((content) => ({ kind: 'added', content }))],
    ['a text that lacks its end', samplePrivateKey.slice(0, -50)],
    ['a text that lacks its beginning', samplePrivateKey.slice(60)],
  ];

  test.each(keyTexts)('[A49] a private key is hidden in %s', (_, value) => {
    const kept = redactor.redactAll(value);
    for (const line of samplePrivateKeyLines) expect(JSON.stringify(kept)).not.toContain(line.slice(0, 28));
    expect(redactor.restoreAll(kept)).toEqual(value);
  });
});

describe('known values', () => {
  test('[A49] are hidden in each spelling, by name, and come back', () => {
    for (const { name, value } of [ownKey, fromEnvironment]) {
      const texts = [
        ...spellingsOf(value),
        Buffer.from(`user:${value}\n`).toString('base64'),
        JSON.stringify({ value }),
      ];
      for (const text of texts) {
        const kept = redactor.redact(`<${text}>`);
        expect(kept).toContain(`[secret:${name}:`);
        expect(redactor.restore(kept)).toBe(`<${text}>`);
      }
    }
  });

  test('[A49] of the store are not copied into the vault; those of the environment come back in a process that lacks them', () => {
    const kept = redactor.redact(`${ownKey.value} and ${fromEnvironment.value}`);
    expect(readFileSync(join(folder, 'vault/values.jsonl'), 'utf8')).not.toContain('correct horse');
    const next = open([ownKey], []);
    expect(next.restore(kept)).toBe(`${ownKey.value} and ${fromEnvironment.value}`);
    const without = open([], []);
    expect(without.restore(kept)).toMatch(/^\[secret:MY_SERVICE:[0-9a-f]{12}\] and plain-words-of-a-token$/);
    expect(without.findLost({ deep: [kept] })).toMatch(/^\[secret:MY_SERVICE:/);
    expect(next.findLost({ deep: [kept] })).toBeUndefined();
  });

  test('[A49] a name alone brings nothing back: only who was shown the placeholder has its digits', () => {
    for (const guess of ['[secret:MY_SERVICE]', '[secret:MY_SERVICE:000000000000]']) {
      expect(redactor.restore(guess)).toBe(guess);
    }
    expect(redactor.findLost('[secret:MY_SERVICE:000000000000]')).toBe('[secret:MY_SERVICE:000000000000]');
  });

  test('of the environment are told by the names of their variables', () => {
    const names = secretsOfEnvironment({
      OPENAI_API_KEY: 'a-key-of-some-length',
      GITHUB_TOKEN: 'short',
      npm_config_password: 'a-password',
      SSL_KEY: '/etc/ssl/private/key.pem',
      DATABASE_URL: 'postgres://me:p%40ssword1@db/x',
      SSH_AUTH_SOCK: '/tmp/agent.1234',
      PATH: '/usr/bin:/bin',
      MONKEY: 'not-a-key-at-all',
    });
    expect(names).toEqual([
      { name: 'OPENAI_API_KEY', value: 'a-key-of-some-length' },
      { name: 'npm_config_password', value: 'a-password' },
      { name: 'DATABASE_URL', value: 'p%40ssword1' },
      { name: 'DATABASE_URL', value: 'p@ssword1' },
    ]);
  });
});

describe('a stream', () => {
  const texts = [
    `before ${sampleKeys['anthropic']} after`,
    'DB_PASSWORD=hunter2hunter2\nnext line',
    'say "apiKey": "0f8fad5b-d9cb-469f-a165-70867728950e", then',
    'postgres://app:s3cr3t-pw@db.example.org/app is it',
    'curl -H "Authorization: Bearer abcdef0123456789xyz" https://x',
    `it says ${ownKey.value} and ${fromEnvironment.value}.`,
    `key:\n${samplePrivateKey}\nend`,
  ];

  test.each(texts)('[A49] %s: says the same as the whole, wherever it is cut in two', (text) => {
    const whole = redactor.redact(text);
    for (let at = 0; at <= text.length; at += 1) expect(inPieces([text.slice(0, at), text.slice(at)])).toBe(whole);
  });

  test('[A49] says the same as the whole, cut anywhere', () => {
    const text = texts.join('\n');
    const whole = redactor.redact(text);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 60 }), (lengths) => {
        const pieces: string[] = [];
        for (let at = 0, n = 0; at < text.length; n += 1) {
          const length = lengths[n % lengths.length] ?? 1;
          pieces.push(text.slice(at, at + length));
          at += length;
        }
        expect(inPieces(pieces)).toBe(whole);
      }),
      { numRuns: soak(40) },
    );
  });

  test('ordinary text does not wait', () => {
    for (const text of ['Hello', 'first part', 'It costs 12 dollars. ', 'ünïcödé 😀', '1 + 1 = 2\n']) {
      const { text: shown, after } = redactor.redactStream().next(text);
      expect(shown).toBe(text);
      expect(after.waits).toBe(false);
    }
  });

  function inPieces(pieces: readonly string[]): string {
    let state = redactor.redactStream();
    let all = '';
    for (const piece of pieces) {
      const { text, after } = state.next(piece);
      all += text;
      state = after;
    }
    return all + state.rest();
  }
});

describe('the vault', () => {
  test('[A23] is for us alone', () => {
    redactor.redact(sampleKeys['github'] ?? '');
    expect((statSync(join(folder, 'vault')).mode & 0o777).toString(8)).toBe('700');
    for (const name of ['key', 'values.jsonl']) {
      expect((statSync(join(folder, 'vault', name)).mode & 0o777).toString(8)).toBe('600');
    }
  });

  test('a value is kept once, by whichever process', () => {
    const text = sampleKeys['github'] ?? '';
    const other = open();
    const kept = [redactor.redact(text), other.redact(text), redactor.redact(text)];
    expect(new Set(kept).size).toBe(1);
    expect(readFileSync(join(folder, 'vault/values.jsonl'), 'utf8').split(text)).toHaveLength(2);
  });

  test('that is full, or cannot be written, hides all the same', () => {
    const vault = createSecretVault(join(folder, 'small'), 10);
    const kept = createRedactor({ stored: [], fromEnvironment: [], vault }).redact(sampleKeys['npm'] ?? '');
    expect(kept).toMatch(mark);
    const nowhere = createSecretVault('/proc/none/vault');
    expect(createRedactor({ stored: [], fromEnvironment: [], vault: nowhere }).redact(sampleKeys['npm'] ?? '')).toMatch(
      mark,
    );
  });
});

test('takes time in proportion, also for text made to take long', () => {
  const hostile = [
    'eyJ'.repeat(300_000),
    'sk-'.repeat(300_000),
    '-----BEGIN PRIVATE KEY-----\n'.repeat(30_000),
    'password='.repeat(100_000),
    '://a:'.repeat(200_000),
    'token a'.repeat(100_000),
    `-----END PRIVATE KEY-----${'A'.repeat(900_000)}`,
    'Bearer '.repeat(100_000),
  ];
  for (const text of hostile) {
    const startedAt = performance.now();
    redactor.redact(text);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  }
});
