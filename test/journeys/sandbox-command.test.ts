/** `handrail sandbox` through the real program: installed from mirrors of our own, used by a tool, reset, removed. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageCommands } from '../../src/services/userland/package-commands.ts';
import { type AlpineMirror, buildAlpineContent, fixtureFile, startAlpineMirror } from '../kit/alpine-mirror.ts';
import { createProgramWorld, type ProgramWorld } from '../kit/program.ts';

let folder: string;
let mirrors: AlpineMirror[];
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-alpine-')));
  const content = buildAlpineContent(folder, [...packageCommands.apk.basic, 'tree']);
  mirrors = [await startAlpineMirror(content), await startAlpineMirror(content)];
});
afterAll(async () => {
  for (const mirror of mirrors) await mirror.close();
  rmSync(folder, { recursive: true, force: true });
});

function openWorld(more: object = {}): ProgramWorld {
  const world = createProgramWorld();
  world.writeSettings({
    sandbox: { root: 'userland', userland: { mirrors: mirrors.map((mirror) => mirror.url), ...more } },
    net: { allowPrivate: mirrors.map((mirror) => mirror.host) },
  });
  return world;
}

const json = (text: string): { ok: boolean; data: Record<string, unknown>; text: string; error?: { code: string } } =>
  JSON.parse(text) as ReturnType<typeof json>;
const shell = async (world: ProgramWorld, command: string): Promise<string> => {
  const { stdout } = await world.run(['run', 'bash', JSON.stringify({ command }), '--json']);
  return json(stdout).text;
};

describe('handrail sandbox', () => {
  it('[K42] [K38] [K39] installs once, runs commands there, keeps what apk adds, resets and removes', async () => {
    const world = openWorld();
    expect(await shell(world, 'true')).toContain('handrail sandbox install');
    const first = await world.run(['sandbox', 'install']);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain('Alpine Linux v3.21 is installed.');
    expect(first.stderr).toMatch(/^look .*\(127\.0\.0\.1:\d+\)$/m);
    expect(first.stderr).toMatch(/^download .*100% .*alpine-minirootfs/m);
    const archives = (): number =>
      mirrors.flatMap((mirror) => mirror.requests).filter((line) => line.includes(fixtureFile)).length;
    const before = archives();
    const again = await world.run(['sandbox', 'install', '--json']);
    expect(json(again.stdout)).toMatchObject({ ok: true, data: { isNew: false, state: 'ready', packages: 'basic' } });
    expect(archives()).toBe(before);

    expect(await shell(world, 'cat /etc/alpine-release; apk add tree >/dev/null; echo kept >~/file')).toBe('3.21.9');
    expect(await shell(world, 'tree; cat ~/file')).toBe('tree of the fixture\nkept');
    const listed = await world.run(['sandbox', 'packages', '--json']);
    expect(JSON.stringify(json(listed.stdout).data)).toContain('"tree"');
    expect((await world.run(['sandbox', 'packages', 'search', 'jq'])).stdout).toContain('jq\t1.0-r0\tthe program jq');
    expect(await world.run(['sandbox', 'packages', 'remove', 'tree'])).toMatchObject({ code: 0 });
    expect(await world.run(['sandbox', 'packages', 'install', 'no-such-thing'])).toMatchObject({ code: 1 });
    expect(await world.run(['sandbox', 'packages', 'install', '--', '-x'])).toMatchObject({ code: 2 });

    expect(await world.run(['sandbox', 'reset'])).toMatchObject({ code: 0 });
    expect(await shell(world, 'command -v tree; cat ~/file')).toContain('kept');
    const tools = await world.run(['tools', '--json']);
    expect(tools.stdout).toContain('Alpine Linux v3.21');
    expect((await world.run(['doctor'])).stdout).toContain('a Linux userland (Alpine Linux v3.21)');
    expect((await world.run(['sandbox', 'uninstall'])).stdout).toContain('the home was kept');
    expect((await world.run(['sandbox', 'status'])).stdout).toContain('No userland is installed; commands are refused');
  }, 180_000);

  it('[S24] a failure names its step, ends with code 1 and JSON with its reason; the next run goes on', async () => {
    const world = openWorld();
    for (const mirror of mirrors) mirror.faults.missing = 'APKINDEX';
    const failed = await world.run(['sandbox', 'install', '--bare', '--json']);
    for (const mirror of mirrors) delete mirror.faults.missing;
    expect(failed.code).toBe(1);
    expect(json(failed.stdout)).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(json(failed.stdout).text).toContain('The step "repositories" failed');
    expect(JSON.parse(failed.stderr.split('\n')[0] ?? '')).toMatchObject({ step: 'look' });
    expect((await world.run(['sandbox', 'status'])).stdout).toContain('not finished');
    expect(await world.run(['sandbox', 'install', '--bare'])).toMatchObject({ code: 0 });
  }, 120_000);

  it('[K42] what cannot be meant is misuse', async () => {
    const world = openWorld();
    expect(await world.run(['sandbox', 'install', 'gentoo'])).toMatchObject({ code: 2 });
    expect(await world.run(['sandbox', 'install', 'alpine', '--version', 'x'])).toMatchObject({ code: 2 });
    expect(await world.run(['sandbox', 'shell'])).toMatchObject({ code: 2 });
    expect(await world.run(['sandbox', 'nonsense'])).toMatchObject({ code: 2 });
  });

  it('[K42] a mirror on a private address needs net.allowPrivate', async () => {
    const world = createProgramWorld();
    world.writeSettings({ sandbox: { userland: { mirrors: mirrors.map((mirror) => mirror.url) } } });
    const refused = await world.run(['sandbox', 'install']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('net.allowPrivate');
  });
});
