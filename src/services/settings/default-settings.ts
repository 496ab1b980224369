/** The settings of somebody who has written none. Loads nothing: a start without settings.json needs no validator. */
import type { Settings } from '../../contract/settings.ts';

export const defaultSettings: Settings = {
  models: [],
  prices: {},
  fallback: [],
  sandbox: {
    rung: 'namespaces',
    root: 'host-view',
    network: { mode: 'allow-list', allow: [], deny: [] },
    userland: { distribution: 'alpine', mirrors: [], dns: ['8.8.8.8', '8.8.4.4'] },
    limits: {
      processes: 2048,
      openFiles: 65_536,
      fileMegabytes: 8192,
      diskMegabytes: 20_480,
      files: 1_000_000,
      freeMegabytes: 1024,
      freeFiles: 20_000,
    },
  },
  permissions: { deny: [], ask: [], allow: [], askAgainAfterUntrusted: true },
  tools: { allowed: [], disallowed: [] },
  toolEnabled: {},
  features: { memory: true, scheduling: true, email: true, mcp: true, sandbox: true },
  shell: { timeoutSeconds: 30, maxTimeoutSeconds: 120 },
  terminal: { allowedCommands: ['*'] },
  files: { allowedPaths: ['/'] },
  limits: { rounds: 15, modelRetries: 2 },
  budgets: { conversation: {}, day: {}, schedule: {} },
  net: { allowPrivate: [] },
  mcpServers: {},
  agent: {},
  defaultModel: undefined,
};
