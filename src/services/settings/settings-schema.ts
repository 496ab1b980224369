/** The shape of settings.json, key by key, with what each is for. Loads zod: import it only where a file exists. */
import { z } from 'zod';
import { readRuleText, ruleForm } from '../../base/read-rule-text.ts';
import { defaultSettings } from './default-settings.ts';
import { sandboxSchema } from './sandbox-schema.ts';
import { webAddress } from './web-address-schema.ts';

/** A secret's name, never the secret: a value of another form is not repeated in any message. */
const secretName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]*$/, 'must be the NAME of a secret such as OPENAI_API_KEY, not the secret itself');

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

const dollars = z.number().min(0).max(1_000_000);
const price = z.strictObject({
  input: dollars.describe('Of the request.'),
  output: dollars.describe('Of the answer, reasoning included.'),
  cachedInput: dollars.exactOptional().describe('Of what the service had cached of the request. Omitted: as input.'),
  cacheWrite: dollars.exactOptional().describe('Of what it newly cached, where it counts that. Omitted: as input.'),
});

const rules = z.array(word.refine((text) => readRuleText(text) !== undefined, ruleForm)).default([]);
const permissions = z.strictObject({
  deny: rules.describe(
    'Calls that are refused: `tool`, `tool(path)`, `tool(command …)` or `tool(host)`. The tool by its name, another name of it or a pattern (`memory_*`). A path absolute, below `~`, relative to the workspace, or a name alone (`.env`), with the wildcards of a shell; a host with its subdomains, or `*.host`, `host:port`, `https://host/path/*`. A rule holds for its tool alone: commands are named by `bash(…)`.',
  ),
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
  sandbox: sandboxSchema.prefault({}).describe('Where commands run.'),
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
  files: z
    .strictObject({
      allowedPaths: z
        .array(word.regex(/^[/~]/, 'must be absolute or begin with ~'))
        .default([...defaultSettings.files.allowedPaths])
        .describe(
          'Folders beyond the workspace that file tools may reach, after asking. Any other is refused. `/`, the default: every folder may be asked for.',
        ),
    })
    .prefault({})
    .describe('The tools for files.'),
  agent: z
    .strictObject({
      instructions: z
        .string()
        .max(8_000)
        .exactOptional()
        .describe(
          'Your own instructions, told to the model at the start of every conversation: how to answer, what to mind. They allow nothing.',
        ),
    })
    .prefault({})
    .describe('The assistant as a whole.'),
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
