import { describe, expect, it } from 'vitest';
import type { Ssh, SshHost } from '../../contract/ssh.ts';
import { createGate } from '../../permission/gate.ts';
import { createPolicy } from '../../permission/policy.ts';
import { describeTool } from '../../executor/describe-tool.ts';
import type { Tool } from '../../contract/tool.ts';
import { defaultSettings } from '../../services/settings/default-settings.ts';
import tool from './ssh-configure-host.ts';

async function call(given: unknown, changed = true) {
  const hosts: SshHost[] = [];
  const ssh: Ssh = {
    configure: async (host) => {
      hosts.push(host);
      return { alias: host.alias, configChanged: changed, knownHostsChanged: false };
    },
  };
  const context = {
    callId: 'call',
    calledAs: 'ssh_configure_host',
    conversation: { id: 'c', workspace: '/ws', isThrowaway: false },
    signal: new AbortController().signal,
    emit: () => undefined,
  };
  return { hosts, output: await tool.run(tool.input.parse(given), { ssh }, context) };
}

describe('ssh_configure_host', () => {
  it('[K32] hands the host over and gives back what changed with an example', async () => {
    const { hosts, output } = await call({
      alias: 'box',
      hostname: 'example.org',
      identity_file: 'id',
      known_host_line: 'x',
    });
    expect(hosts).toEqual([{ alias: 'box', hostname: 'example.org', identityFile: 'id', knownHostLine: 'x' }]);
    expect(output.data).toEqual({
      alias: 'box',
      config_changed: true,
      known_hosts_changed: false,
      example: 'ssh box uptime',
    });
    expect((await call({ alias: 'box', hostname: 'h' }, false)).output.text).toContain('Nothing to change');
  });

  it('[K33] is there exactly when the sandbox is, with no switch of its own', () => {
    const descriptor = describeTool('ssh_configure_host', 'shell', tool as unknown as Tool);
    const reason = (settings: Partial<typeof defaultSettings>) => {
      const all = { ...defaultSettings, ...settings };
      return createGate(all, createPolicy(all), () => undefined)(descriptor);
    };
    expect(reason({})).toBeUndefined();
    expect(reason({ toolEnabled: { ssh_configure_host: false } })).toBeUndefined();
    expect(reason({ features: { ...defaultSettings.features, sandbox: false } })).toContain('sandbox');
    expect(
      reason({ sandbox: { ...defaultSettings.sandbox, rung: 'host' }, toolEnabled: { ssh_configure_host: true } }),
    ).toContain('outside any sandbox');
  });
});
