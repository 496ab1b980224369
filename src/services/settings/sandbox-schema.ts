/** The shape of `sandbox` in settings.json: where commands run, what they may use and reach. Loads zod. */
import { z } from 'zod';
import { defaultSettings } from './default-settings.ts';
import { webAddress } from './web-address-schema.ts';

const word = z.string().min(1);

const amount = (name: Exclude<keyof typeof defaultSettings.sandbox.limits, 'memoryMegabytes' | 'cpus'>, min: number) =>
  z.int().min(min).max(1_000_000_000).default(defaultSettings.sandbox.limits[name]);

/** The least of each is what a shell needs to start a program. */
const sandboxLimits = z.strictObject({
  memoryMegabytes: z
    .int()
    .min(16)
    .max(1_000_000_000)
    .exactOptional()
    .describe('Memory, with the files in /tmp. Omitted: three quarters of the machine, at least 1024.'),
  processes: amount('processes', 8).describe('Processes and threads at once.'),
  cpus: z
    .number()
    .min(0.01)
    .max(100_000)
    .exactOptional()
    .describe('Processors, also parts of one. Omitted: all of them, but everything else on the machine goes first.'),
  openFiles: amount('openFiles', 64).describe('Open files of one process.'),
  fileMegabytes: amount('fileMegabytes', 1).describe('The largest single file.'),
  diskMegabytes: amount('diskMegabytes', 1).describe('How much fuller a disk may get while a command runs.'),
  files: amount('files', 1).describe('How many files more a disk may hold while a command runs.'),
  freeMegabytes: amount('freeMegabytes', 0).describe('What a disk must keep free: a command that takes it is ended.'),
  freeFiles: amount('freeFiles', 0).describe('How many further files a disk must have room for.'),
});

const userland = z.strictObject({
  distribution: z
    .enum(['alpine', 'debian'])
    .default(defaultSettings.sandbox.userland.distribution)
    .describe('Which one is installed when nobody names one.'),
  version: z
    .string()
    .regex(/^(\d+(\.\d+)?|[a-z]+)$/, 'must be a release such as 3.21, 12 or bookworm')
    .exactOptional()
    .describe('Its release. Omitted: Alpine 3.21, or the release of this machine’s Debian.'),
  mirrors: z
    .array(webAddress)
    .default([])
    .describe(
      'Mirrors of Alpine to use in the place of the known ones, in this order, each up to its folder "alpine".',
    ),
  dns: z
    .array(z.union([z.ipv4(), z.ipv6()]))
    .max(3)
    .default([...defaultSettings.sandbox.userland.dns])
    .describe('Name servers written into it. Through the proxy nothing asks them.'),
});

export const sandboxSchema = z.strictObject({
  rung: z
    .enum(['namespaces', 'namespaces-shared-network', 'container', 'proot', 'host'])
    .default(defaultSettings.sandbox.rung)
    .describe(
      'How commands are kept apart from the machine, strongest first. `host`: not at all. A rung that is missing is never replaced by a weaker one.',
    ),
  root: z
    .enum(['host-view', 'userland'])
    .default(defaultSettings.sandbox.root)
    .describe('What commands see as the system: this machine’s /usr, or a Linux userland of their own.'),
  network: z
    .strictObject({
      mode: z
        .enum(['off', 'allow-list', 'on'])
        .default(defaultSettings.sandbox.network.mode)
        .describe('What commands may reach: nothing, the allowed hosts, or any public address.'),
      allow: z.array(word).default([]).describe('Hosts that are allowed besides those of the package managers.'),
      deny: z.array(word).default([]).describe('Hosts that are never reached; stronger than `allow`.'),
    })
    .prefault({})
    .describe('The network of commands in the sandbox.'),
  userland: userland
    .prefault({})
    .describe('The Linux userland that `handrail sandbox install` brings, for the root "userland".'),
  limits: sandboxLimits
    .prefault({})
    .describe(
      'What one shell, one command or one job may use of the machine. A command that hits a limit is told which.',
    ),
});
