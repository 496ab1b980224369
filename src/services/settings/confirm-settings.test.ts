import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTemporaryTree } from '../../../test/kit/temporary-tree.ts';
import { type ConfirmedSettings, loadConfirmedSettings } from './confirm-settings.ts';

let folder: string;
beforeEach(async () => {
  folder = await createTemporaryTree();
});

const write = (sandbox: unknown): void => writeFileSync(join(folder, 'settings.json'), JSON.stringify({ sandbox }));
const load = (onlyLooks = false): Promise<ConfirmedSettings> =>
  loadConfirmedSettings({ settingsFile: join(folder, 'settings.json'), data: folder }, onlyLooks);
/** A start that runs a command. */
async function use(): Promise<void> {
  (await load()).confirmations.trust();
}
const inForce = async (): Promise<string> => {
  const { sandbox } = (await load()).settings;
  return `${sandbox.rung}, ${sandbox.network.mode}`;
};

describe('what weakens the sandbox', () => {
  it('[A30] a yes is bound to what was shown; a yes without it takes whatever waits (twin)', async () => {
    write({});
    await use();
    write({ rung: 'proot' });
    const shown = (await load()).confirmations.hash();
    write({ rung: 'host' });
    const now = await load();
    expect(() => now.confirmations.confirm(shown)).toThrow(/changed meanwhile/);
    expect(await inForce()).toBe('namespaces, allow-list');
    now.confirmations.confirm();
    expect(await inForce()).toBe('host, allow-list');
  });

  it('[K48] the first settings of a fresh state folder count at once', async () => {
    write({ rung: 'host' });
    expect(await inForce()).toBe('host, allow-list');
    expect((await load()).confirmations.pending()).toEqual([]);
    write({ rung: 'proot' });
    expect(await inForce()).toBe('proot, allow-list');
  });

  it.each(['namespaces-shared-network', 'container', 'proot', 'host'])(
    '[A30] a change to %s from outside is told, and is in force only once it is confirmed',
    async (rung) => {
      write({ rung: 'namespaces' });
      await use();
      write({ rung });
      const changed = await load();
      expect(changed.settings.sandbox.rung).toBe('namespaces');
      expect(changed.confirmations.pending()).toEqual([
        expect.stringMatching(new RegExp(`"${rung}".*handrail confirm`)),
      ]);
      changed.confirmations.confirm();
      expect(changed.confirmations.pending()).toEqual([]);
      expect(await inForce()).toBe(`${rung}, allow-list`);
    },
  );

  it('[A30] the network is opened by a yes alone, and closed by the settings', async () => {
    write({ network: { mode: 'off' } });
    await use();
    expect(await inForce()).toBe('namespaces, off');
    write({ network: { mode: 'on' } });
    expect(await inForce()).toBe('namespaces, off');
    (await load()).confirmations.confirm();
    expect(await inForce()).toBe('namespaces, on');
    write({ network: { mode: 'allow-list' } });
    expect(await inForce()).toBe('namespaces, allow-list');
    write({ network: { mode: 'on' } });
    expect(await inForce()).toBe('namespaces, allow-list');
  });

  it('[A30] a sandbox that was used without settings is not weakened by settings that appear', async () => {
    await use();
    write({ rung: 'host' });
    expect(await inForce()).toBe('namespaces, allow-list');
  });

  it('a start without settings and without a command decides nothing', async () => {
    await load();
    write({ rung: 'host' });
    expect(await inForce()).toBe('host, allow-list');
  });

  it('[A30] twin: without what was confirmed before, the same change counts', async () => {
    write({ rung: 'namespaces' });
    await use();
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ sandbox: { rung: 'host' } }));
    const elsewhere = await createTemporaryTree();
    const { settings } = await loadConfirmedSettings({ settingsFile: join(folder, 'settings.json'), data: elsewhere });
    expect(settings.sandbox.rung).toBe('host');
  });

  it('[A30] a note of an earlier version, which knew two keys, holds for these two', async () => {
    writeFileSync(join(folder, 'confirmed.json'), '{"rung":"namespaces","network":"allow-list"}\n');
    write({ rung: 'host', network: { mode: 'allow-list', allow: ['example.org'] } });
    const { settings, confirmations } = await load();
    expect(settings.sandbox.rung).toBe('namespaces');
    expect(settings.sandbox.network.allow).toEqual(['example.org']);
    expect(confirmations.pending()).toHaveLength(1);
    write({ network: { mode: 'allow-list', allow: ['example.org', 'example.com'] } });
    expect((await load()).settings.sandbox.network.allow).toEqual(['example.org']);
  });

  it('[A30] a damaged note confirms nothing', async () => {
    write({ rung: 'host', network: { mode: 'on' } });
    await use();
    writeFileSync(join(folder, 'confirmed.json'), '{');
    expect(await inForce()).toBe('namespaces, off');
  });
});

describe('for doctor', () => {
  it('settings that cannot be used are told, and the defaults stand in', async () => {
    writeFileSync(join(folder, 'settings.json'), '{"sandbox": ');
    await expect(load()).rejects.toThrow();
    const looked = await load(true);
    expect(looked.failure).toContain('settings.json');
    expect(looked.settings.sandbox.rung).toBe('namespaces');
  });

  it('looking keeps nothing', async () => {
    write({ rung: 'host' });
    await use();
    const before = readFileSync(join(folder, 'confirmed.json'), 'utf8');
    expect(JSON.parse(before)).toMatchObject({ rung: 'host', network: 'allow-list' });
    write({ rung: 'namespaces' });
    await load(true);
    expect(readFileSync(join(folder, 'confirmed.json'), 'utf8')).toBe(before);
  });
});
