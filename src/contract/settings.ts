/** `settings.json`, as validated. The schema with its descriptions lives in services/settings/settings-schema.ts. */
import type { Rung } from './services.ts';

export type ModelServiceSettings = {
  /** The part before the slash of a model's name. */
  readonly service: string;
  readonly dialect: 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';
  readonly baseUrl?: string;
  /** Name of the secret that holds the key (an environment variable's name or one set by `handrail secrets set`). */
  readonly keyName?: string;
  /** Models of it to offer in pickers. */
  readonly models?: readonly string[];
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  /** Omitted: true. */
  readonly nativeCalls?: boolean;
  /** Omitted: false. */
  readonly isSmall?: boolean;
};

/** What one shell, one command or one job may use of the machine. */
export type LimitSettings = {
  /** Omitted: three quarters of the machine, at least 1024. */
  readonly memoryMegabytes?: number;
  /** With threads. */
  readonly processes: number;
  /** Processors, also parts of one. Omitted: all, after everything else on the machine. */
  readonly cpus?: number;
  /** Of one process. */
  readonly openFiles: number;
  /** The largest single file. */
  readonly fileMegabytes: number;
  /** How much fuller a disk may get by it. */
  readonly diskMegabytes: number;
  /** How many files more a disk may hold by it. */
  readonly files: number;
  /** What stays free of a disk, whoever fills it. */
  readonly freeMegabytes: number;
  readonly freeFiles: number;
};

/** Omitted: no limit. */
export type BudgetSettings = { readonly tokens?: number; readonly usd?: number };

/** Dollars per million tokens. `cachedInput`, `cacheWrite` omitted: as `input`. */
export type ModelPrice = {
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number;
  readonly cacheWrite?: number;
};

export type PermissionRules = readonly string[];

export type Settings = {
  readonly models: readonly ModelServiceSettings[];
  /** By patterns of names, `service/model` with `*`; the first that fits counts, in the place of the catalogue's. */
  readonly prices: Readonly<Record<string, ModelPrice>>;
  /** Models to try in order when the chosen one fails. */
  readonly fallback: readonly string[];
  readonly sandbox: {
    readonly rung: Rung;
    readonly root: 'host-view' | 'userland';
    readonly network: {
      readonly mode: 'off' | 'allow-list' | 'on';
      readonly allow: readonly string[];
      readonly deny: readonly string[];
    };
    readonly userland: {
      /** What `handrail sandbox install` installs when nobody names one. */
      readonly distribution: 'alpine' | 'debian';
      /** Of the release. Omitted: Alpine 3.21, or the machine's own Debian. */
      readonly version?: string;
      /** In the place of the known ones, in this order. Empty: the known ones. */
      readonly mirrors: readonly string[];
      /** Name servers written into it. */
      readonly dns: readonly string[];
    };
    readonly limits: LimitSettings;
  };
  /** Rules as text: `tool`, `tool(path glob)`, `tool(command …)`, `tool(host)`. */
  readonly permissions: {
    readonly deny: PermissionRules;
    readonly ask: PermissionRules;
    readonly allow: PermissionRules;
    /** What carries something out is asked about again after text of others has entered the conversation. */
    readonly askAgainAfterUntrusted: boolean;
    /** Hours after which what a person allowed for longer than once ends by itself. Omitted: as long as its scope says. */
    readonly grantHours?: number;
  };
  readonly tools: { readonly allowed: readonly string[]; readonly disallowed: readonly string[] };
  /** From the keys `tool_enabled_<id>`. */
  readonly toolEnabled: Readonly<Record<string, boolean>>;
  readonly features: {
    readonly memory: boolean;
    readonly scheduling: boolean;
    readonly email: boolean;
    readonly mcp: boolean;
    readonly sandbox: boolean;
  };
  readonly shell: { readonly timeoutSeconds: number; readonly maxTimeoutSeconds: number };
  /** Commands of the tool `terminal`: every one of a chain must be among them. */
  readonly terminal: { readonly allowedCommands: readonly string[] };
  /** Folders beyond the workspace that file tools may reach at all, absolute or below `~`; `/` is every one. */
  readonly files: { readonly allowedPaths: readonly string[] };
  readonly limits: {
    readonly rounds: number;
    readonly modelRetries: number;
    /** How long a model's service may be silent. Omitted: 120, and 300 before its first word. */
    readonly modelIdleSeconds?: number;
  };
  /** What models may take: of one conversation, of one local calendar day, of one schedule. */
  readonly budgets: {
    readonly conversation: BudgetSettings;
    readonly day: BudgetSettings;
    readonly schedule: BudgetSettings;
  };
  /** Private addresses that may be reached all the same, each exactly `host:port`. */
  readonly net: { readonly allowPrivate: readonly string[] };
  /** By name, as written: what each runs or reaches is told by whoever connects to it. */
  readonly mcpServers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly agent: {
    /** The user's own words for every conversation. Omitted: none. */
    readonly instructions?: string;
  };
  /** The model used when nothing else names one. */
  readonly defaultModel: string | undefined;
};
