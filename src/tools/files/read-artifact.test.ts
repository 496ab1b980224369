import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileWorld, failureOf, type FileWorld } from '../../../test/kit/file-world.ts';
import { createFindBinary } from '../../services/search/find-binary.ts';
import readArtifact from './read-artifact.ts';

let world: FileWorld;
beforeEach(() => void (world = createFileWorld()));
afterEach(() => world.remove());
const keep = async (content: string | Buffer) => {
  const kept = await (await world.grant()).artifacts.keep(content);
  if (kept === undefined) throw new Error('not kept');
  return kept;
};

describe('read_artifact', () => {
  it('[K07] a kept result opens under its path, closed to others, and pages to its end without a gap', async () => {
    const text = `${'😀 line of text\n'.repeat(4_000)}end`;
    const { id, path, bytes } = await keep(text);
    expect([id, bytes, readFileSync(path, 'utf8') === text, statSync(path).mode & 0o777]).toEqual([
      expect.stringMatching(/^[a-z2-7]{16}$/),
      Buffer.byteLength(text),
      true,
      0o600,
    ]);
    let joined = '';
    for (let offset: unknown = 0; offset !== undefined;) {
      const { data, text: shown } = await world.call(readArtifact, { id, offset });
      expect([data?.['total_chars'], shown.length <= 20_000]).toEqual([text.length, true]);
      joined += String(data?.['content']);
      offset = data?.['next_offset'];
    }
    expect(joined === text).toBe(true);
  });

  it('gives the lines that match a pattern, with their numbers, in linear time', async () => {
    const { id } = await keep(`first\n${'a'.repeat(50_000)}!\nerror: one\nfine\nerror: two\n`);
    expect((await world.call(readArtifact, { id, pattern: '^error' })).data).toMatchObject({
      content: '3: error: one\n5: error: two\n',
    });
    expect((await world.call(readArtifact, { id, pattern: '(a+)+$' })).text).toMatch(/^No line matches/);
    expect(await failureOf(world.call(readArtifact, { id, pattern: '(' }))).toMatch(
      /^invalid_input: .*no valid regular expression/,
    );
    expect(await failureOf(world.call(readArtifact, { id, pattern: '' }))).toMatch(/^invalid_input: /);
  });

  it('gives the same lines where only grep is there', async () => {
    const found = createFindBinary();
    const plain = createFileWorld({
      findBinary: (name) => (name === 'grep' ? found(name) : Promise.resolve(undefined)),
    });
    try {
      const kept = await (await plain.grant()).artifacts.keep('a1\nb\nA2\n');
      expect((await plain.call(readArtifact, { id: kept?.id ?? '', pattern: '(?i)a\\d' })).data).toMatchObject({
        content: '1: a1\n3: A2\n',
      });
    } finally {
      plain.remove();
    }
  });

  it.each(['../settings.json', 'aaaaaaaaaaaaaaaa', '', 'AAAAAAAAAAAAAAAA', '/etc/passwd'])(
    'knows no result %s',
    async (id) => {
      expect(await failureOf(world.call(readArtifact, { id }))).toMatch(/^not_found: /);
    },
  );

  it('an offset behind the end names the length, and bytes that are no text are shown as far as they can be', async () => {
    const { id } = await keep(Buffer.from([0x61, 0xff, 0x62]));
    expect((await world.call(readArtifact, { id })).data).toMatchObject({ content: 'a\ufffdb', total_chars: 3 });
    expect(await failureOf(world.call(readArtifact, { id, offset: 4 }))).toMatch(/^invalid_input: .*has 3 characters/);
  });

  it('a full disk, or a folder that cannot be made, keeps nothing and fails nothing', async () => {
    const script = `
      import { readdirSync } from 'node:fs';
      import { createArtifacts } from './src/services/artifacts/create-artifacts.ts';
      const [folder] = process.argv.slice(1);
      const kept = await createArtifacts({ folder }).forCall().keep('x'.repeat(300_000));
      const below = await createArtifacts({ folder: '/etc/passwd/artifacts' }).forCall().keep('x');
      console.log(JSON.stringify([kept ?? null, readdirSync(folder), below ?? null]));`;
    const isRoot = process.getuid?.() === 0;
    const shell = 'mount -t tmpfs -o size=64k none "$1" && exec "$2" --input-type=module --eval "$3" "$1"';
    const { stdout } = await promisify(execFile)(
      'unshare',
      [
        '--mount',
        ...(isRoot ? [] : ['--map-root-user']),
        'sh',
        '-c',
        shell,
        'sh',
        world.outside,
        process.execPath,
        script,
      ],
      { cwd: new URL('../../../', import.meta.url) },
    );
    expect(JSON.parse(stdout)).toEqual([null, [], null]);
  });
});
