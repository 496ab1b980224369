/** The shape of settings.json, key by key, with what each is for. Loads zod: import it only where a file exists. */
import { z } from 'zod';
import { readRuleText, ruleForm } from '../../base/read-rule-text.ts';
import { defaultSettings } from './default-settings.ts';

/** A secret's name, never the secret: a value of another form is not repeated in any message. */
const secretName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]*$/, 'must be the NAME of a secret such as OPENAI_API_KEY, not the secret itself');

const webAddress = z
  .string()
  .refine(isWebAddress, 'must be a web address (http:// or https://) without user name and password');

const modelName = z
  .string()
  .regex(
    /^[^/\s]+\/\S.*$/,
    'must be written service/model, for example anthropic/claude-sonnet-4-5 or ollama/qwen3:8b',
  );

const word = z.string().min(1);
const hostAndPort = z
  .string()
  .regex(/^(\[[0-9A-Fa-f:.]+\]|[^\s:/@*]+):[0-9]{1,5}$/, 'must be an exact host and port, for example 127.0.0.1:8123');

const modelService = z.strictObject({
  service: z
    .string()
    .regex(/^[^/\s]+$/, 'must be one word without a slash')
    .describe('The part before the slash of a model’s name.'),
  dialect: z
    .enum(['openai-chat', 'openai-responses', 'anthropic', 'gemini'])
    .describe('How the service is spoken to. Most other services understand openai-chat.'),
  baseUrl: webAddress.exactOptional().describe('The address of the service; omitted: the provider’s own.'),
  keyName: secretName
    .exactOptional()
    .describe(
      'Name of the secret that holds the key: an environment variable, or one set by `handrail secrets set NAME`.',
    ),
  models: z.array(word).exactOptional().describe('Models of the service to offer in pickers.'),
  contextWindow: z.int().positive().exactOptional().describe('Tokens that fit into a request and its answer.'),
  maxOutputTokens: z.int().positive().exactOptional().describe('Tokens that an answer may have.'),
  nativeCalls: z.boolean().exactOptional().describe('False for models that call tools by text markers. Omitted: true.'),
  isSmall: z
    .boolean()
    .exactOptional()
    .describe('True for small local models, which are offered only the tools made for them.'),
});

const amount = (name: Exclude<keyof typeof defaultSettings.sandbox.limits, 'memoryMegabytes' | 'cpus'>, min: number) =>
  z.int().min(min).max(1_000_000_000).default(defaultSettings.sandbox.limits[name]);

const dollars = z.number().min(0).max(1_000_000);
const price = z.strictObject({
  input: dollars.describe('Of the request.'),
  output: dollars.describe('Of the answer, reasoning included.'),
  cachedInput: dollars.exactOptional().describe('Of what the service had cached of the request. Omitted: as input.'),
  cacheWrite: dollars.exactOptional().describe('Of what it newly cached, where it counts that. Omitted: as input.'),
});

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

const sandbox = z.strictObject({
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

const rules = z.array(word.refine((text) => readRuleText(text) !== undefined, ruleForm)).default([]);
const permissions = z.strictObject({
  deny: rules.describe('Calls that are refused: `tool`, `tool(path glob)`, `tool(command …)` or `tool(host)`.'),
  ask: rules.describe('Calls that are asked about although they would be allowed.'),
  allow: rules.describe('Calls that are allowed without asking.'),
  askAgainAfterUntrusted: z
    .boolean()
    .default(defaultSettings.permissions.askAgainAfterUntrusted)
    .describe(
      'Ask again before something is sent to a host, an MCP server or a person, or outside the sandbox, once a page, a file from outside the workspace, a mail or another text of others has entered the conversation.',
    ),
  grantHours: z
    .number()
    .positive()
    .max(1_000_000)
    .exactOptional()
    .describe(
      'Hours after which what you allowed for a conversation or for always ends by itself. Omitted: when the conversation ends, or you revoke it.',
    ),
});

const feature = (name: keyof typeof defaultSettings.features, text: string) =>
  z.boolean().default(defaultSettings.features[name]).describe(text);

const features = z.strictObject({
  memory: feature('memory', 'Memory across conversations.'),
  scheduling: feature('scheduling', 'Scheduled tasks and the heartbeat.'),
  email: feature('email', 'Reading and drafting mail.'),
  mcp: feature('mcp', 'Tools of MCP servers.'),
  sandbox: feature('sandbox', 'Commands and terminals.'),
});

const seconds = z.int().min(1).max(86_400);
const shell = z
  .strictObject({
    timeoutSeconds: seconds.optional().describe('How long a command may run when the call does not say. Omitted: 30.'),
    maxTimeoutSeconds: seconds
      .optional()
      .describe('The longest that a call may ask for. Omitted: 120, or timeoutSeconds where that is more.'),
  })
  .refine((value) => (value.timeoutSeconds ?? 1) <= (value.maxTimeoutSeconds ?? Infinity), {
    message: 'must have a maxTimeoutSeconds that is not less than its timeoutSeconds',
  });

const limits = z.strictObject({
  rounds: z
    .int()
    .min(1)
    .max(1000)
    .default(defaultSettings.limits.rounds)
    .describe('Rounds of tool calls in one turn; then the model answers with what it has.'),
  modelRetries: z
    .int()
    .min(0)
    .max(20)
    .default(defaultSettings.limits.modelRetries)
    .describe('How often a request is sent again when the model’s service is busy or cannot be reached.'),
  modelIdleSeconds: z
    .int()
    .min(1)
    .max(300)
    .exactOptional()
    .describe('How long a model’s service may be silent. Omitted: 120, and 300 before its first word.'),
});

const budget = (of: string) =>
  z
    .strictObject({
      tokens: z
        .int()
        .min(0)
        .max(1_000_000_000_000)
        .exactOptional()
        .describe(`Tokens of ${of}, input and output together.`),
      usd: z
        .number()
        .min(0)
        .max(1_000_000)
        .exactOptional()
        .describe(`Dollars of ${of}, by the prices that are known of its models.`),
    })
    .prefault({});

const budgets = z.strictObject({
  conversation: budget('one conversation').describe('Of one conversation.'),
  day: budget('one day').describe('Of one day, from midnight to midnight on this machine.'),
  schedule: budget('one schedule').describe('Of one schedule.'),
});

/** Every key but `tool_enabled_<id>`, which load-settings takes out before. */
export const settingsSchema = z.strictObject({
  $schema: z.string().optional().describe('Address of this schema, for editors.'),
  model: modelName.optional().describe('The model used when nothing else names one, as service/model.'),
  models: z.array(modelService).default([]).describe('Services of your own: other providers, gateways, local servers.'),
  prices: z
    .record(modelName, price)
    .default({})
    .describe(
      'Prices in dollars per million tokens, by names of models with * for any text, for example "openai/gpt-5*". The first that fits counts, in the place of what Handrail knows.',
    ),
  fallback: z.array(modelName).default([]).describe('Models to try in order when the chosen one fails.'),
  sandbox: sandbox.prefault({}).describe('Where commands run.'),
  permissions: permissions.prefault({}).describe('Rules about single tools and arguments.'),
  tools: z
    .strictObject({
      allowed: z.array(word).default([]).describe('If not empty, every other tool is off.'),
      disallowed: z.array(word).default([]).describe('Tools that are off.'),
    })
    .prefault({})
    .describe('Tools as a whole.'),
  features: features.prefault({}).describe('Switches for whole families of tools.'),
  shell: shell.prefault({}).describe('Time limits of commands.'),
  terminal: z
    .strictObject({
      allowedCommands: z
        .array(word)
        .default([...defaultSettings.terminal.allowedCommands])
        .describe(
          'Commands that the tool `terminal` may run: a name (`ls`) or a pattern (`git status *`). Every command of a chain must be among them; `*` is all.',
        ),
    })
    .prefault({})
    .describe('The tool `terminal`.'),
  limits: limits.prefault({}).describe('Limits of a turn.'),
  budgets: budgets.prefault({}).describe('What models may take. Without a limit nothing is limited.'),
  search: z
    .looseObject({
      provider: word.optional().describe('Who answers web searches.'),
      baseUrl: webAddress.optional().describe('Address of a SearXNG server of your own.'),
    })
    .optional()
    .describe('Web search.'),
  geo: z
    .looseObject({ baseUrl: webAddress.optional().describe('Address of the service that places an IP address.') })
    .optional()
    .describe('Location by IP address.'),
  net: z
    .strictObject({
      allowPrivate: z
        .array(hostAndPort)
        .optional()
        .describe(
          'Private addresses that may be reached, each an exact host and port. The host must be allowed as well.',
        ),
    })
    .optional()
    .describe('What commands and web tools may reach.'),
  email: z.array(z.looseObject({})).optional().describe('Mail accounts; their passwords lie in the secret store.'),
  mcpServers: z.record(z.string(), z.looseObject({})).optional().describe('MCP servers by name.'),
  profiles: z
    .looseObject({ default: word.optional().describe('The profile of new conversations.') })
    .optional()
    .describe('Profiles.'),
  appearance: z.looseObject({}).optional().describe('How the faces look.'),
});

export type ParsedSettings = z.output<typeof settingsSchema>;

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}
