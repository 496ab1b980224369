/** Checks the value of settings.json and fills in the defaults. */
import { SetupFailure } from '../../contract/failure.ts';
import type { Settings } from '../../contract/settings.ts';
import { defaultSettings } from './default-settings.ts';
import { explainIssues, formatPath } from './explain-issue.ts';
import { findPlainSecret } from './find-plain-secret.ts';
import { toolSwitchPattern } from './settings-json-schema.ts';
import { settingsSchema } from './settings-schema.ts';
import type { ParsedSettings } from './settings-schema.ts';

const toolSwitch = new RegExp(toolSwitchPattern);

/** Throws SetupFailure: one line with the key's full path. */
export function validateSettings(value: Readonly<Record<string, unknown>>, file: string): Settings {
  refusePlainSecret(value, file);
  const { toolEnabled, rest } = takeToolSwitches(value, file);
  const parsed = settingsSchema.safeParse(rest);
  if (!parsed.success) throw new SetupFailure(explainIssues(parsed.error.issues, file));
  refuseDoubleService(parsed.data, file);
  return toSettings(parsed.data, toolEnabled);
}

function refusePlainSecret(value: Readonly<Record<string, unknown>>, file: string): void {
  const path = findPlainSecret(value);
  if (path === undefined) return;
  throw new SetupFailure(
    `${file}: "${formatPath(path)}" looks like a secret in plain text: put it in the secret store with \`handrail secrets set NAME\` and write keyName. Nothing was changed.`,
  );
}

function takeToolSwitches(value: Readonly<Record<string, unknown>>, file: string) {
  const toolEnabled: Record<string, boolean> = {};
  const rest: [string, unknown][] = [];
  for (const [key, setting] of Object.entries(value)) {
    if (!toolSwitch.test(key)) rest.push([key, setting]);
    else if (typeof setting === 'boolean') toolEnabled[key.slice('tool_enabled_'.length)] = setting;
    else throw new SetupFailure(`${file}: "${key}" must be true or false. Nothing was changed.`);
  }
  return { toolEnabled, rest: Object.fromEntries(rest) };
}

function refuseDoubleService(parsed: ParsedSettings, file: string): void {
  const names = parsed.models.map((model) => model.service);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new SetupFailure(
    `${file}: "models" names the service "${twice}" twice: give each another name. Nothing was changed.`,
  );
}

function toSettings(parsed: ParsedSettings, toolEnabled: Readonly<Record<string, boolean>>): Settings {
  const timeoutSeconds = parsed.shell.timeoutSeconds ?? defaultSettings.shell.timeoutSeconds;
  const maxTimeoutSeconds =
    parsed.shell.maxTimeoutSeconds ?? Math.max(defaultSettings.shell.maxTimeoutSeconds, timeoutSeconds);
  return {
    models: parsed.models,
    prices: parsed.prices,
    fallback: parsed.fallback,
    sandbox: parsed.sandbox,
    permissions: parsed.permissions,
    terminal: parsed.terminal,
    files: parsed.files,
    tools: parsed.tools,
    toolEnabled,
    features: parsed.features,
    // A maximum below the default's 30 seconds, said alone, lowers both.
    shell: { timeoutSeconds: Math.min(timeoutSeconds, maxTimeoutSeconds), maxTimeoutSeconds },
    limits: parsed.limits,
    budgets: parsed.budgets,
    net: { allowPrivate: parsed.net?.allowPrivate ?? [] },
    mcpServers: parsed.mcpServers ?? {},
    agent: parsed.agent,
    defaultModel: parsed.model,
  };
}
