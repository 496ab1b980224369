/** The settings of somebody who has written none. Loads nothing: a start without settings.json needs no validator. */
import type { Settings } from '../../contract/settings.ts';

export const defaultSettings: Settings = {
  models: [],
  fallback: [],
  sandbox: {
    rung: 'namespaces',
    root: 'host-view',
    network: { mode: 'allow-list', allow: [], deny: [] },
  },
  permissions: { deny: [], ask: [], allow: [] },
  tools: { allowed: [], disallowed: [] },
  toolEnabled: {},
  features: { memory: true, scheduling: true, email: true, mcp: true, sandbox: true },
  shell: { timeoutSeconds: 30, maxTimeoutSeconds: 120 },
  limits: { rounds: 15, modelRetries: 2 },
  defaultModel: undefined,
};
