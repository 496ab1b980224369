/**
 * What the server of the web app and its pages say to each other. JSON both ways; times are ISO 8601, UTC.
 *
 * | method and path | takes | gives |
 * |---|---|---|
 * | GET /link/:token | | the session's cookie, and the way to / |
 * | GET /healthz | | WebHealth, without a session |
 * | POST /api/session | WebSignIn | Done and the cookie, where the server has a password; without a session |
 * | DELETE /api/session | | Done: this browser is signed out |
 * | GET /api/state | | WebState |
 * | GET /api/openapi.json | | this table as an OpenAPI document |
 * | GET /api/conversations | WebConversationQuery | WebConversationPage |
 * | POST /api/conversations | WebNewConversation | WebConversation |
 * | GET, PATCH /api/conversations/:id | PATCH: WebConversationChange | WebConversation |
 * | DELETE /api/conversations/:id | | WebRemoval: undone by POST …/restore until then |
 * | POST /api/conversations/:id/branch | WebBranch | WebConversation: a new one with the events before that place |
 * | POST /api/conversations/:id/restore | | WebConversation |
 * | GET /api/conversations/:id/events | WebEventQuery | WebEventPage |
 * | GET /api/conversations/:id/export | ?format=markdown or json | the conversation as a file |
 * | POST /api/conversations/:id/turns | WebNewTurn | WebTurnStart, when what was said is written |
 * | POST /api/conversations/:id/stop | | Done: what runs here ends soon; its last event says so |
 * | POST /api/conversations/:id/queue | WebNewQueuedMessage | Done: sent when the turn that runs has ended; at once where none does |
 * | PATCH, DELETE /api/conversations/:id/queue/:message | PATCH: WebQueuedText | Done |
 * | POST /api/conversations/:id/queue-release | | Done: what was held is sent |
 * | POST /api/conversations/:id/resume | WebResume | Done, or 404 when no turn was cut off |
 * | POST /api/conversations/:id/calls | WebNewCall | CallOutcome, when it has ended |
 * | GET /api/conversations/:id/stream | ?after= or Last-Event-ID | SSE: each JournalEvent as `data`, its seq as `id` |
 * | GET /api/stream | | SSE: each WebNotice as `data`, first of all a `snapshot` |
 * | POST /api/questions/:id/answer | WebAnswer | Done |
 * | GET /api/tools | | ToolStatus[] |
 * | PATCH /api/tools/:name | WebToolSwitch | Done: what begins from now on works with it |
 * | /api/settings, /api/confirmations | web-settings.ts | |
 * | /api/folders, /api/welcome, /api/models, /api/secrets, /api/upkeep, /api/backups | web-setup.ts | |
 * | GET /api/grants | ?conversation= (omitted: all) | Grant[] |
 * | DELETE /api/grants/:id | | Done |
 * | GET /api/costs | ?days= (omitted: 30) | Costs |
 * | GET /api/artifacts/:id | WebArtifactQuery | WebArtifactPage: a result that was too long, kept whole |
 * | GET /api/jobs | | WebJob[] |
 * | GET /api/jobs/:conversation/:id/log | ?offset=&limit= | WebJobLog |
 * | POST /api/jobs/:conversation/:id/kill | | JobInfo |
 * | GET /api/doctor | | Finding[] |
 *
 * Of files: contract/web-files.ts. Of the sandbox: contract/web-sandbox.ts. Of the ledger and of what runs: contract/web-activity.ts.
 *
 * What takes a query takes it behind `?`, everything else in the body. A POST without a body of its own takes `{}`. Every
 * failure is a WebFailure. A browser opens at most six connections to one server (HTTP/1.1), over all its tabs: pages share
 * their streams by a SharedWorker. Both streams send a comment every 15 seconds, so that a dead one is noticed.
 */
import type { JournalEvent } from './event.ts';
import type { ModelChoice } from './handrail.ts';
import type { JobInfo, Jobs } from './jobs.ts';
import type { ModelInfo } from './model.ts';
import type { GrantScope, Question } from './permission.ts';
import type { PersonNotice } from './notifications.ts';
import type { Artifacts } from './services.ts';
import type { Settings } from './settings.ts';
import type { FileToView } from './viewer.ts';
import type { WebSandboxProgress, WebSandboxWork } from './web-sandbox.ts';
import type { Conversation } from './storage.ts';

/**
 * Of a failure. `no_session`: 401, open a new link. `foreign`: 403, from another site. `wrong_host`: 421. `misuse`: 422, what was
 * asked cannot work as things are (no model, a folder that cannot be a workspace).
 */
export type WebFailureCode =
  | 'invalid_input'
  | 'no_session'
  | 'foreign'
  | 'not_found'
  | 'conflict'
  | 'busy'
  | 'too_large'
  | 'wrong_media_type'
  | 'wrong_host'
  | 'misuse'
  | 'too_many'
  | 'unavailable'
  | 'failed';

/** The message says what happened and what to do. */
export type WebFailure = { readonly error: { readonly code: WebFailureCode; readonly message: string } };

export type Done = { readonly done: true };

export type WebHealth = { readonly status: 'ok'; readonly version: string };

export type WebSignIn = { readonly password: string };

export type WebState = {
  readonly version: string;
  /** The words for the sandbox rung in force. */
  readonly rung: string;
  /** Where a new conversation works when none is named. Omitted: in a new folder of its own. */
  readonly workspace?: string;
  /** Which a turn would use now. Omitted: none is connected. */
  readonly model?: ModelInfo;
  readonly modelChoices: readonly ModelChoice[];
  readonly settings: Pick<Settings, 'sandbox' | 'features' | 'limits' | 'budgets' | 'defaultModel' | 'fallback'>;
  /** What settings.json asks for and is not in force: a person decides. One sentence each. */
  readonly pendingConfirmations: readonly string[];
  /** For WebConfirmation: stands for all of them as they were shown. */
  readonly confirmationHash: string;
  /** Why settings.json cannot be used: what held before holds on. Omitted: it can. */
  readonly settingsProblem?: string;
  readonly home: string;
  /** Nobody has gone through the first steps or left them, and nothing was said yet. */
  readonly isWelcomeDue: boolean;
};

export type WebConversation = Omit<Conversation, 'isThrowaway'> & {
  readonly isPinned: boolean;
  /** A turn or a typed call runs in it, in this server. */
  readonly isRunning: boolean;
};

export type WebConversationQuery = {
  /** Part of the title or of the workspace. */
  readonly search?: string;
  /** Omitted: 50, at most 200. */
  readonly limit?: number;
  /** `nextOffset` of the page before. */
  readonly offset?: number;
};

/** Pinned ones first, then newest first. */
export type WebConversationPage = {
  readonly conversations: readonly WebConversation[];
  /** Omitted: there are no more. */
  readonly nextOffset?: number;
};

export type WebNewConversation = {
  /** Omitted: the first words of the first message. */
  readonly title?: string;
  /** Fixed from now on. Omitted: `WebState.workspace`, or a new folder. Null: a new folder of its own. */
  readonly workspace?: string | null;
  /** `interactive`: the model answers with screens. Omitted: `chat`. */
  readonly kind?: Conversation['kind'];
};

export type WebConversationChange = { readonly title?: string; readonly isPinned?: boolean };

/** `beforeSeq`: of a `turn-start`, or behind the last event. */
export type WebBranch = { readonly beforeSeq: number };

/** Nothing is removed before. */
export type WebRemoval = { readonly undoUntil: string };

export type WebEventQuery = {
  /** Events behind this seq. Omitted: from the start. */
  readonly after?: number;
  /** Events before this seq, and of them the last. Omitted: up to the newest. */
  readonly before?: number;
  /** Omitted: 1000, at most 5000. */
  readonly limit?: number;
  /** `1`: without deltas and progress whose whole stands in a later event: `model-end`, `tool-end`. seq has gaps then. */
  readonly whole?: '1';
};

export type WebEventPage = {
  readonly events: readonly JournalEvent[];
  /** The newest seq of the conversation when this was read: where a stream goes on without loss, if the page reaches it. */
  readonly lastSeq: number;
  /** Raw seqs that this page stands for; `firstSeq` 1: there is nothing before. Both 0: none. */
  readonly firstSeq: number;
  readonly reachesSeq: number;
};

export type WebNewTurn = {
  readonly text: string;
  /** `data`: base64 without a prefix. */
  readonly images?: readonly { readonly mediaType: string; readonly data: string }[];
  /** `service/model`. Omitted: the one in use. */
  readonly model?: string;
};

/** `seq`: of its `turn-start`. */
export type WebTurnStart = { readonly conversationId: string; readonly turnId: string; readonly seq: number };

/** `id`: made by the page, so that a repeat adds nothing. `isHeld`: it waits until a person says so, and what is behind it, too. */
export type WebNewQueuedMessage = WebNewTurn & { readonly id: string; readonly isHeld?: true };

export type WebQueuedText = { readonly text: string };

/** `images`: how many. */
export type WebQueuedMessage = { readonly id: string; readonly text: string; readonly images: number };

/** Messages that wait, in the order in which they will be sent. */
export type WebQueue = {
  readonly conversationId: string;
  readonly messages: readonly WebQueuedMessage[];
  /** The last turn was stopped or failed: nothing is sent before a person says so. */
  readonly isHeld: boolean;
  /** Why the first one could not be sent. */
  readonly problem?: string;
};

export type WebResume = { readonly model?: string };

/** What a person typed behind `!` or `/`: it is approved by that, hard denials apart. */
export type WebNewCall = {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** It is decided and asked about like a call of a model, and does not enter the model's context. Omitted: false. */
  readonly asks?: boolean;
};

export type WebAnswer = {
  readonly verdict: 'allow' | 'deny';
  /** For `allow`, one of the question's. Omitted: `once`. */
  readonly scope?: GrantScope;
  /** For `deny`: told to the model. */
  readonly reason?: string;
  /** The question's: what was shown is what is answered. */
  readonly hash: string;
};

export type WebToolSwitch = { readonly isOn: boolean };

export type WebArtifactQuery = {
  /** Characters before it. Omitted: 0. */
  readonly offset?: number;
  /** Characters. Omitted: 20,000, at most 200,000. */
  readonly limit?: number;
};

export type WebArtifactPage = Awaited<ReturnType<Artifacts['read']>>;

export type WebJob = JobInfo & { readonly conversation: string; readonly workspace: string };

export type WebJobLog = Awaited<ReturnType<Jobs['log']>>;

/** What happens outside the conversation that is open. After each connect a `snapshot` comes first and replaces all that was known. */
export type WebNotice =
  | {
      readonly type: 'snapshot';
      /** Questions that can be answered here; those of other processes cannot. */
      readonly questions: readonly Question[];
      /** Conversations in which this server runs something. */
      readonly running: readonly string[];
      readonly sandbox: WebSandboxProgress;
      readonly queues: readonly WebQueue[];
      /** Another one: the server was started anew, and has forgotten what waited. */
      readonly serverId: string;
    }
  | { readonly type: 'queue'; readonly queue: WebQueue }
  | { readonly type: 'question'; readonly question: Question }
  /** Answered, or withdrawn. */
  | { readonly type: 'question-closed'; readonly questionId: string; readonly conversationId: string }
  | { readonly type: 'running'; readonly conversationId: string; readonly isRunning: boolean }
  /** New, or changed: title, pin, time. */
  | { readonly type: 'conversation'; readonly conversation: WebConversation }
  | { readonly type: 'conversation-removed'; readonly conversationId: string }
  /** settings.json was changed, or what waits in it was confirmed: what a page knows of it is old. */
  | { readonly type: 'settings' }
  /** A call tells a person who may not be looking. */
  | { readonly type: 'notification'; readonly notice: PersonNotice }
  /** A call shows a file: pages that show its conversation, or come to it, open their viewer once. */
  | { readonly type: 'file-to-view'; readonly file: FileToView }
  /** The long piece of work on the userland: begun, further, ended. Omitted: how it ended was seen. */
  | { readonly type: 'sandbox-work'; readonly work?: WebSandboxWork }
  /** What its package manager prints. */
  | { readonly type: 'sandbox-output'; readonly text: string }
  /** An agent runs a command: the sandbox icon flashes once. */
  | { readonly type: 'command'; readonly conversationId: string; readonly callId: string };
