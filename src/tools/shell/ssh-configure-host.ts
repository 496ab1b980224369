/** Gives a host a short name for ssh in the sandbox. */
import { z } from 'zod';
import { defineTool } from '../../contract/tool.ts';

const input = z.strictObject({
  alias: z.string().min(1).describe('Short name for `ssh <alias>`.'),
  hostname: z.string().min(1).describe('Name or address.'),
  user: z.string().optional().describe('Who to log in as.'),
  port: z.int().min(1).max(65_535).optional().describe('Default 22.'),
  identity_file: z.string().optional().describe('Private key; relative: below ~/.ssh.'),
  known_host_line: z.string().optional().describe('Line of known_hosts, as ssh-keyscan prints it.'),
});

export default defineTool({
  title: 'Name an SSH host',
  description:
    "Register a host in the sandbox's own ~/.ssh/config, so that later commands can say `ssh <alias>`, scp and sftp alike. Writes no keys; a repeat changes nothing.",
  input,
  output: z.object({
    alias: z.string(),
    config_changed: z.boolean(),
    known_hosts_changed: z.boolean(),
    example: z.string(),
  }),
  needs: ['ssh'],
  // The sandbox's own file, which its commands could write too; who is reached is asked when it is reached.
  access: () => [{ kind: 'none' }],
  hasSwitch: false,
  effect: 'idempotent',
  summary: ({ alias, hostname }) => `${alias} → ${hostname}`.replaceAll(/\s+/g, ' ').slice(0, 120),
  async run({ alias, hostname, user, port, identity_file, known_host_line }, { ssh }) {
    const done = await ssh.configure({
      ...{ alias, hostname },
      ...(user === undefined ? {} : { user }),
      ...(port === undefined ? {} : { port }),
      ...(identity_file === undefined ? {} : { identityFile: identity_file }),
      ...(known_host_line === undefined ? {} : { knownHostLine: known_host_line }),
    });
    const example = `ssh ${alias} uptime`;
    const isNew = done.configChanged || done.knownHostsChanged;
    return {
      text: `${isNew ? 'Set up' : 'Nothing to change'}: ${example}`,
      data: { alias, config_changed: done.configChanged, known_hosts_changed: done.knownHostsChanged, example },
    };
  },
});
