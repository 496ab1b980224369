/** What a face sees of the whole: built by main.ts, used by the terminal, the MCP server and the library. */
import type { JournalEvent, TurnEndReason } from './event.ts';
import type { FolderListing } from './folders.ts';
import type { AllJobs } from './jobs.ts';
import type { LedgerStore } from './ledger.ts';
import type { ImagePart } from './message.ts';
import type { ModelInfo, Usage } from './model.ts';
import type { NotificationFeed } from './notifications.ts';
import type { ModelSetup, ModelTrial, ModelTrialResult } from './model-setup.ts';
import type { CallOutcome } from './output.ts';
import type { PersonFiles } from './person-files.ts';
import type { ApproveMode, Asker } from './permission.ts';
import type { ContactEntry } from './contacts.ts';
import type { SandboxReport } from './services.ts';
import type { Settings } from './settings.ts';
import type { SettingsFileAccess } from './settings-file.ts';
import type { AllShells } from './shell-state.ts';
import type { SpendingLine } from './spending.ts';
import type { Conversation, ConversationFilter, GrantStore } from './storage.ts';
import type { AllTerminals } from './terminals.ts';
import type { Artifacts } from './services.ts';
import type { Tool, ToolDescriptor } from './tool.ts';
import type { AsideFiles } from './trusted.ts';
import type { Upkeep } from './upkeep.ts';
import type { PersonalShell, Userland } from './userland.ts';
import type { ViewingFeed } from './viewer.ts';

export type ToolStatus = ToolDescriptor & {
  /** Passes its feature gate, its switch and the allow and deny lists. */
  readonly isEnabled: boolean;
  /** Why it is not enabled; empty when it is. */
  readonly reason: string;
  /** Its own switch is what keeps it off. Omitted: it is on, or something else keeps it off. */
  readonly isSwitchedOff?: boolean;
};

/** What a permission rule says, as the program reads it. */
export type RuleMeaning = {
  /** Titles of the tools that it names; none: tools that may come later. */
  readonly tools: readonly string[];
  /** What a call must touch for the rule to count. Omitted: every call. */
  readonly argument?: string;
  /** What of a call the argument is compared with. Omitted: it may be any of them. */
  readonly kind?: 'path' | 'command';
};

/**
 * How a face takes part in one call or turn. What runs with nobody there (a schedule, a heartbeat, a helper of a model) goes the
 * same way, by `runTool` and `ask`, with `approve: 'none'` and no asker: every question is a no.
 */
export type Attendance = {
  /** Omitted: a throw-away conversation for a call, a new one for a turn. An unknown id is created. */
  readonly conversationId?: string;
  /** Where a conversation that is made by this works. Omitted: `Handrail.workspace`. An existing one must have it already. */
  readonly workspace?: string;
  readonly approve: ApproveMode;
  /** Omitted: nobody to ask, so every question is a no. */
  readonly asker?: Asker;
  readonly signal?: AbortSignal;
  /** Each event after it was written. Must not throw. */
  readonly onEvent?: (event: JournalEvent) => void;
};

export type ToolRequest = Attendance & {
  readonly tool: string;
  /** An object, or JSON text as a model writes it. */
  readonly input: unknown;
  /** `user`: typed by a person after `!` or `/`, which approves it, hard denials apart. */
  readonly origin: 'user' | 'mcp' | 'library';
};

export type TurnRequest = Attendance & {
  readonly text: string;
  readonly images?: readonly ImagePart[];
  /** `service/model`. Omitted: HANDRAIL_MODEL, then the settings, then what can be found. */
  readonly model?: string;
  readonly maxRounds?: number;
};

export type TurnSummary = {
  readonly conversationId: string;
  readonly reason: TurnEndReason;
  readonly answer: string;
  readonly usage: Usage;
  /** Dollars, an estimate; omitted when no price is known. */
  readonly costUsd?: number;
  readonly error?: { readonly kind: string; readonly message: string };
};

/** One line of `handrail doctor`. */
export type Finding = {
  readonly area: string;
  readonly state: 'good' | 'warning' | 'bad';
  readonly text: string;
  /** The command or step that mends it; omitted when nothing is to be done. */
  readonly fix?: string;
};

export type ModelChoice = {
  readonly id: string;
  readonly source: string;
  readonly info?: ModelInfo;
  /** Why its name cannot work. Omitted: nothing is known against it. */
  readonly problem?: string;
};

export type Costs = {
  /** The local calendar day. */
  readonly today: string;
  /** By day, conversation and model; newest day first. */
  readonly lines: readonly SpendingLine[];
};

export type HandrailOptions = {
  /** The folder to work in. Omitted: the current directory. */
  readonly workspace?: string;
  /** True: opens although there is no workspace; calls and turns are misuse then. Omitted: false. */
  readonly needsNoWorkspace?: boolean;
  /** For `doctor`: settings that cannot be used are told instead of thrown, and nothing is kept. Omitted: false. */
  readonly onlyLooks?: boolean;
  /** Tools of the program's own, made by defineTool, by wire name. Omitted: none. */
  readonly tools?: Readonly<Record<string, Tool>>;
  /** Omitted: that of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
};

/** What settings.json asks for and is not in force, because it would weaken the rail or name another program. */
export type Confirmations = {
  /** One sentence each; empty when all is as the settings say. */
  pending(): readonly string[];
  /** A command runs with what is in force: that counts as the user's own from now on, where nothing did so far. */
  trust(): void;
  /** Stands for all that waits, in full: `pending` names long lists by their first entries. */
  hash(): string;
  /**
   * Holds for what begins from now on. `shown`: the hash of what a person saw. Throws ToolFailure('conflict') when something else
   * waits by now, SetupFailure when it cannot be kept.
   */
  confirm(shown?: string): void;
};

export type Handrail = {
  readonly version: string;
  readonly confirmations: Pick<Confirmations, 'pending' | 'hash' | 'confirm'>;
  readonly workspace: string;
  /** In force when something last began; `settingsFile.look()` makes them those of this moment. */
  readonly settings: Settings;
  readonly settingsFile: SettingsFileAccess;
  listTools(): Promise<readonly ToolStatus[]>;
  /** Rejects with MisuseFailure that says what is wrong with the rule. */
  explainRule(rule: string): Promise<RuleMeaning>;
  /** What a model is told before a conversation in this workspace. Omitted: that of the program. */
  systemPrompt(workspace?: string): Promise<string>;
  /** Turns a tool on or off by its switch in settings.json. Rejects with SetupFailure or MisuseFailure. */
  switchTool(name: string, isOn: boolean): Promise<void>;
  /** Never rejects for what a tool does: the outcome says it. Rejects with MisuseFailure or SetupFailure. */
  runTool(request: ToolRequest): Promise<CallOutcome>;
  /** One turn. Rejects with MisuseFailure, SetupFailure or ToolFailure('busy') before the turn starts; afterwards the summary says how it ended. */
  ask(request: TurnRequest): Promise<TurnSummary>;
  /** Goes on with a turn that a crash or a kill cut off. Undefined when there is none. */
  resume(
    request: Omit<TurnRequest, 'text' | 'images'> & { readonly conversationId: string },
  ): Promise<TurnSummary | undefined>;
  readonly conversations: {
    list(filter?: ConversationFilter): Promise<readonly Conversation[]>;
    get(id: string): Promise<Conversation | undefined>;
    /**
     * An empty one. `title` omitted: the first words of its first turn. `workspace` omitted: that of the program, or a new
     * folder of its own. Rejects with MisuseFailure for a folder that cannot be one.
     */
    create(wanted: {
      readonly title?: string;
      /** Null: a new folder of its own. */
      readonly workspace?: string | null;
      /** Omitted: `chat`. */
      readonly kind?: Conversation['kind'];
    }): Promise<Conversation>;
    /**
     * A copy with the events before `beforeSeq`, in the same workspace: without grants, shell, jobs and what was spent. Rejects
     * with ToolFailure('not_found'), and with MisuseFailure for a place in the middle of a turn.
     */
    branch(id: string, beforeSeq: number): Promise<Conversation>;
    /** Rejects with ToolFailure('not_found'). */
    update(id: string, change: { readonly title?: string; readonly isPinned?: boolean }): Promise<void>;
    /** In order, those behind `afterSeq`, `limit` at most. Omitted: all. */
    events(
      id: string,
      page?: { readonly afterSeq?: number; readonly limit?: number },
    ): Promise<readonly JournalEvent[]>;
    /** 0: there are none. */
    lastSeq(id: string): Promise<number>;
    /**
     * With its events and grants, its shell, jobs and terminals. False when there is none. Rejects with ToolFailure('busy')
     * while a turn runs in it.
     */
    remove(id: string): Promise<boolean>;
  };
  /** `list`: what holds in the conversation, or everywhere; `all`: those of every conversation too, and expired ones. */
  readonly grants: Pick<GrantStore, 'list' | 'all' | 'revoke'>;
  /** Every call of every conversation. */
  readonly ledger: LedgerStore;
  readonly secrets: {
    /** Keeps it and says where. `setAside`: a damaged store that was moved out of the way. */
    set(name: string, value: string): Promise<{ readonly kind: 'keyring' | 'file'; readonly setAside?: string }>;
    remove(name: string): Promise<boolean>;
    names(): Promise<readonly string[]>;
  };
  /** What models have cost in the last `days` days, today included. */
  costs(days: number): Promise<Costs>;
  /** Background jobs of all conversations. */
  jobs(): Promise<AllJobs>;
  /** Characters of a result that was kept whole. Rejects with ToolFailure: not_found, invalid_input. */
  readArtifact: Artifacts['read'];
  /**
   * Files for a person's own hands: of the conversation's workspace and of the home. Omitted: of the home alone. Rejects with
   * ToolFailure('not_found').
   */
  files(conversationId?: string): Promise<PersonFiles>;
  /** What calls tell a person who is not looking, for a face that can show it. */
  readonly notifications: NotificationFeed;
  /** Files that calls show to a person, for a face that has a viewer. */
  readonly fileViewing: ViewingFeed;
  /** Interactive terminals of all conversations. */
  terminals(): Promise<AllTerminals>;
  /** Shells of all conversations that live in this process. */
  shells(): Promise<AllShells>;
  /** Hosts that commands of all conversations have contacted or tried to, newest first. `limit` omitted: 200. */
  contacts(options?: { readonly limit?: number; readonly conversationId?: string }): Promise<readonly ContactEntry[]>;
  /** The rung in force, the ladder, and what is missing. Tries the machine. */
  sandboxReport(): Promise<SandboxReport>;
  /** Files that the machine obeys later, as commands changed them: for the user to decide. */
  trusted(): Promise<AsideFiles>;
  /** The Linux userland of whoever owns the folder: the user whose commands run there. Rejects with ToolFailure('not_found'). */
  userland(folder: string): Promise<Userland>;
  /** A shell in the sandbox, on a person's own terminal. Resolves with its exit code. Rejects with ToolFailure('unavailable'). */
  sandboxShell(request: PersonalShell): Promise<number>;
  /** The model a turn would use, without asking it anything. Undefined: none is set up. */
  model(name?: string): Promise<ModelInfo | undefined>;
  /** What could be chosen: from keys, settings and local servers. */
  modelChoices(): Promise<readonly ModelChoice[]>;
  /** Services of models: those of the settings, those whose key is there, those found on this machine. */
  modelSetup(): Promise<ModelSetup>;
  /** Asks the model for one short answer. Never rejects: what is wrong is its result. */
  tryModel(trial: ModelTrial): Promise<ModelTrialResult>;
  /** Folders to choose a workspace from. Omitted: the user's home. Rejects with ToolFailure('not_found') or ('invalid_input'). */
  folders(path?: string): Promise<FolderListing>;
  /** Where a person's scratch terminal works: a folder of no conversation. */
  scratchFolder(): Promise<string>;
  readonly upkeep: Upkeep;
  /** The words for the sandbox rung in force, for every screen. */
  rung(): Promise<string>;
  examine(): Promise<readonly Finding[]>;
  /**
   * Ends what runs and releases everything. `leaveTurnsOpen`: the journal takes nothing more, so that `resume` goes on with the
   * turns that ran as after a crash. Omitted: they are stopped.
   */
  close(options?: { readonly leaveTurnsOpen?: boolean }): Promise<void>;
};
