/**
 * The keys of settings.json that can weaken the rail or name a program, each with how a change of it is weighed. Everything else
 * of the file holds at once.
 */
import type { LimitSettings, ModelServiceSettings, Settings } from '../../contract/settings.ts';
import { defaultSettings } from './default-settings.ts';
import { weighLimits } from './weigh-limits.ts';
import { weighModelServices } from './weigh-model-services.ts';
import {
  named,
  type Weigh,
  weighAdditions,
  weighEntries,
  weighOnlyThese,
  weighRemovals,
  weighScale,
} from './weigh-change.ts';

/** One of them, with its type closed in. */
export type GuardedKey = {
  /** In the note of what is confirmed. */
  readonly name: string;
  read(wanted: Settings): unknown;
  /** `settings`: as weighed so far. `last` undefined: nothing was kept of it yet. `kept`: what the next change is weighed against. */
  weigh(
    settings: Settings,
    wanted: Settings,
    last: unknown,
  ): { readonly settings: Settings; readonly kept: unknown; readonly change?: string };
};

type Guard<Value> = {
  readonly name: string;
  read(wanted: Settings): Value;
  put(settings: Settings, value: Value): Settings;
  isValue(value: unknown): boolean;
  /** What a note that cannot be read stands for. */
  readonly usual: Value;
  readonly weigh: Weigh<Value>;
};

function guard<Value>({ name, read, put, isValue, usual, weigh }: Guard<Value>): GuardedKey {
  return {
    name,
    read,
    weigh(settings, wanted, last) {
      if (last === undefined) return { settings, kept: read(wanted) };
      const { inForce, kept, change } = weigh(isValue(last) ? (last as Value) : usual, read(wanted));
      return change === undefined ? { settings, kept } : { settings: put(settings, inForce), kept, change };
    },
  };
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: unknown): boolean => Array.isArray(value) && value.every((entry) => typeof entry === 'string');

type Sandbox = Settings['sandbox'];
const withSandbox = (settings: Settings, part: Partial<Sandbox>): Settings => ({
  ...settings,
  sandbox: { ...settings.sandbox, ...part },
});
const withNetwork = (settings: Settings, part: Partial<Sandbox['network']>): Settings =>
  withSandbox(settings, { network: { ...settings.sandbox.network, ...part } });

function list(
  name: string,
  place: Pick<Guard<readonly string[]>, 'read' | 'put'>,
  weigh: Weigh<readonly string[]>,
  usual: readonly string[] = [],
): GuardedKey {
  return guard<readonly string[]>({ name, ...place, isValue: isList, usual, weigh });
}

function scale<Value extends string>(
  name: string,
  key: string,
  place: Pick<Guard<Value>, 'read' | 'put'>,
  strongestFirst: readonly [Value, ...Value[]],
): GuardedKey {
  return guard<Value>({
    ...{ name, ...place },
    isValue: (value) => (strongestFirst as readonly unknown[]).includes(value),
    usual: strongestFirst[0],
    weigh: weighScale(key, strongestFirst),
  });
}

const rung = scale<Sandbox['rung']>(
  'rung',
  'sandbox.rung',
  { read: ({ sandbox }) => sandbox.rung, put: (settings, value) => withSandbox(settings, { rung: value }) },
  ['namespaces', 'namespaces-shared-network', 'container', 'proot', 'host'],
);

const sandboxKeys: readonly GuardedKey[] = [
  scale<Sandbox['root']>(
    'root',
    'sandbox.root',
    { read: ({ sandbox }) => sandbox.root, put: (settings, root) => withSandbox(settings, { root }) },
    ['host-view', 'userland'],
  ),
  list(
    'mirrors',
    {
      read: ({ sandbox }) => sandbox.userland.mirrors,
      put: (settings, mirrors) => withSandbox(settings, { userland: { ...settings.sandbox.userland, mirrors } }),
    },
    weighAdditions('sandbox.userland.mirrors', 'from where the programs of the sandbox would come'),
  ),
  scale<Sandbox['network']['mode']>(
    'network',
    'sandbox.network.mode',
    { read: ({ sandbox }) => sandbox.network.mode, put: (settings, mode) => withNetwork(settings, { mode }) },
    ['off', 'allow-list', 'on'],
  ),
  list(
    'networkAllow',
    { read: ({ sandbox }) => sandbox.network.allow, put: (settings, allow) => withNetwork(settings, { allow }) },
    weighAdditions('sandbox.network.allow', 'which commands could reach without a question'),
  ),
  list(
    'networkDeny',
    { read: ({ sandbox }) => sandbox.network.deny, put: (settings, deny) => withNetwork(settings, { deny }) },
    weighRemovals('sandbox.network.deny', 'which commands could reach again'),
  ),
  list(
    'allowPrivate',
    { read: ({ net }) => net.allowPrivate, put: (settings, allowPrivate) => ({ ...settings, net: { allowPrivate } }) },
    weighAdditions('net.allowPrivate', 'which lies on this machine or in its own network'),
  ),
  guard<LimitSettings>({
    name: 'limits',
    read: ({ sandbox }) => sandbox.limits,
    put: (settings, limits) => withSandbox(settings, { limits }),
    isValue: (value) => isObject(value) && Object.values(value as object).every((each) => typeof each === 'number'),
    usual: defaultSettings.sandbox.limits,
    weigh: (last, wanted) => weighLimits({ ...defaultSettings.sandbox.limits, ...last }, wanted),
  }),
];

const rules = (name: 'deny' | 'ask' | 'allow', weigh: Weigh<readonly string[]>): GuardedKey =>
  list(
    `permissions.${name}`,
    {
      read: ({ permissions }) => permissions[name],
      put: (settings, value) => ({ ...settings, permissions: { ...settings.permissions, [name]: value } }),
    },
    weigh,
  );
const tools = (name: keyof Settings['tools'], weigh: Weigh<readonly string[]>): GuardedKey =>
  list(
    `tools.${name}`,
    {
      read: ({ tools: lists }) => lists[name],
      put: (settings, value) => ({ ...settings, tools: { ...settings.tools, [name]: value } }),
    },
    weigh,
  );

const toolKeys: readonly GuardedKey[] = [
  rules('allow', weighAdditions('permissions.allow', 'which would be done without asking')),
  rules('deny', weighRemovals('permissions.deny', 'which would not be refused any more')),
  rules('ask', weighRemovals('permissions.ask', 'which would not be asked about any more')),
  guard<boolean>({
    name: 'permissions.askAgainAfterUntrusted',
    read: ({ permissions }) => permissions.askAgainAfterUntrusted,
    put: (settings, value) => ({
      ...settings,
      permissions: { ...settings.permissions, askAgainAfterUntrusted: value },
    }),
    isValue: (value) => typeof value === 'boolean',
    usual: true,
    weigh: (last, wanted) =>
      last && !wanted
        ? {
            inForce: true,
            kept: true,
            change:
              'sets permissions.askAgainAfterUntrusted to false, so texts of others could use what you allowed before',
          }
        : { inForce: wanted, kept: wanted },
  }),
  tools('disallowed', weighRemovals('tools.disallowed', 'which models could use again')),
  tools('allowed', weighOnlyThese('tools.allowed', 'which gives models more tools')),
  // Outside any sandbox tools that run commands are off until the user turns them on; inside one that is no weakening.
  list(
    'toolEnabled',
    {
      read: ({ sandbox, toolEnabled }) =>
        sandbox.rung === 'host' ? Object.keys(toolEnabled).filter((name) => toolEnabled[name]) : [],
      put: (settings, on) => ({
        ...settings,
        toolEnabled: Object.fromEntries(
          Object.entries(settings.toolEnabled).filter(([name, isOn]) => !isOn || on.includes(name)),
        ),
      }),
    },
    weighAdditions('tool_enabled_…', 'which are tools that are off outside any sandbox'),
  ),
  list(
    'files.allowedPaths',
    {
      read: ({ files }) => files.allowedPaths,
      put: (settings, allowedPaths) => ({ ...settings, files: { allowedPaths } }),
    },
    weighAdditions(
      'files.allowedPaths',
      'which file tools could then be allowed to reach',
      (last, folder) => last.includes('/') || last.includes(folder),
    ),
  ),
  list(
    'terminal.allowedCommands',
    {
      read: ({ terminal }) => terminal.allowedCommands,
      put: (settings, allowedCommands) => ({ ...settings, terminal: { allowedCommands } }),
    },
    weighAdditions(
      'terminal.allowedCommands',
      'which could then be run in terminals',
      (last, command) => last.includes('*') || last.includes(command),
    ),
  ),
  guard<readonly ModelServiceSettings[]>({
    name: 'models',
    read: ({ models }) => models,
    put: (settings, models) => ({ ...settings, models }),
    isValue: (value) => Array.isArray(value) && value.every(isObject),
    usual: [],
    weigh: weighModelServices,
  }),
  guard<Settings['mcpServers']>({
    name: 'mcpServers',
    read: ({ mcpServers }) => mcpServers,
    put: (settings, mcpServers) => ({ ...settings, mcpServers }),
    isValue: isObject,
    usual: {},
    weigh: weighEntries(
      (names) => `has other commands or addresses for the MCP servers ${named(names)}`,
      (server) => server['disabled'] === true || server['enabled'] === false,
    ),
  }),
];

export const guardedKeys: readonly GuardedKey[] = [rung, ...sandboxKeys, ...toolKeys];
