/** What the handlers of routes work with. */
import type { Handrail } from '../../contract/handrail.ts';
import type { ConversationList } from '../conversation-list.ts';
import type { EventFeeds } from '../event-feeds.ts';
import type { MessageQueue } from '../message-queue.ts';
import type { Notices } from '../notices.ts';
import type { PasswordCheck } from '../password-check.ts';
import type { QuestionDesk } from '../question-desk.ts';
import type { Removals } from '../removals.ts';
import type { RunningWork } from '../running-work.ts';
import type { SandboxWork } from '../sandbox-work.ts';
import type { SettingsWatch } from '../settings-watch.ts';
import type { Sessions } from '../sessions.ts';
import type { PersonTerminals } from '../terminals/open-terminal.ts';
import type { WebChoices } from '../web-choices.ts';

export type RouteParts = {
  readonly handrail: Handrail;
  readonly sessions: Sessions;
  readonly password: PasswordCheck;
  readonly hasPassword: boolean;
  readonly cookieName: string;
  readonly work: RunningWork;
  readonly desk: QuestionDesk;
  readonly feeds: EventFeeds;
  readonly notices: Notices;
  readonly removals: Removals;
  readonly list: ConversationList;
  readonly queue: MessageQueue;
  readonly sandboxWork: SandboxWork;
  readonly settingsWatch: SettingsWatch;
  readonly choices: WebChoices;
  readonly personTerminals: PersonTerminals;
};
