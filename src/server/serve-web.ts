/** Builds the server of the web app over an open Handrail. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { JournalEvent } from '../contract/event.ts';
import type { Handrail } from '../contract/handrail.ts';
import { allowPlaces, isLoopback } from './allowed-places.ts';
import { createConversationList } from './conversation-list.ts';
import { cookieNameFor, readCookie } from './cookies.ts';
import { createEventFeeds } from './event-feeds.ts';
import { createGuards, type Guards } from './guards.ts';
import { createMessageQueue } from './message-queue.ts';
import { createNotices } from './notices.ts';
import { offerLinks, serverElsewhere } from './offer-links.ts';
import { createPasswordCheck } from './password-check.ts';
import { createQuestionDesk } from './question-desk.ts';
import { createRemovals } from './removals.ts';
import { createRouteTable } from './route-table.ts';
import type { RouteParts } from './routes/route-parts.ts';
import { createRunningWork } from './running-work.ts';
import { createSandboxWork } from './sandbox-work.ts';
import { createSettingsWatch } from './settings-watch.ts';
import { createSessions } from './sessions.ts';
import { createStaticFiles } from './static-files.ts';
import { createTerminalParts, type TerminalParts } from './terminals/create-terminal-parts.ts';
import type { SocketLimits } from './terminals/terminal-limits.ts';
import { listen } from './web-server.ts';
import { createWebChoices } from './web-choices.ts';
import { MisuseFailure } from '../contract/failure.ts';

export type WebServerOptions = {
  readonly handrail: Handrail;
  /** An address, or `localhost`. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Names under which a proxy hands requests on. */
  readonly names?: readonly string[];
  /** Omitted: the stored one. With neither only links sign in, and only loopback is served. */
  readonly password?: string;
  /** Of the secret store. */
  readonly storedPassword?: () => Promise<string | undefined>;
  /** Where hashes of the sessions are kept. */
  readonly sessionFile: string;
  /** The built web app. */
  readonly webFolder: string;
  readonly onProblem: (line: string) => void;
  /** Of the socket by which a second start finds the first. Omitted: none is offered. */
  readonly runtimeFolder?: string;
  /** How long a removal can be taken back. Omitted: 10 s. */
  readonly undoMs?: number;
  /** For tests: guards in the place of the real ones. */
  readonly guards?: Partial<Guards>;
  /** For tests: other limits of the terminals' sockets. */
  readonly socketLimits?: Partial<SocketLimits>;
};

export type WebServer = {
  readonly port: number;
  /** `http://…/` */
  readonly url: string;
  /** Another process serves this state folder there: nothing is served here. */
  readonly isElsewhere: boolean;
  /** A new one-time link. */
  newLink(): string;
  /** The path of a short-lived file that leads a browser to a link of its own. */
  linkPage(): string;
  /** Ends every stream and takes no more requests. What runs goes on until the program is closed. */
  close(): Promise<void>;
};

const minPasswordLength = 12;

/** Rejects with MisuseFailure (an address that must not be served) or SetupFailure (a port in use). */
export async function serveWeb(options: WebServerOptions): Promise<WebServer> {
  const { handrail } = options;
  const address = options.host === 'localhost' ? '127.0.0.1' : options.host;
  const password = await passwordFor(options, address);
  const sessions = createSessions(options.sessionFile);
  const live = await createLiveParts(options);
  let terminals: TerminalParts | undefined;
  const server = await listen({ host: address, port: options.port }, (port) => {
    const cookieName = cookieNameFor(port);
    const ownGuards = createGuards(allowPlaces(address, port, options.names), (cookies) =>
      sessions.isValid(readCookie(cookies, cookieName)),
    );
    const guards = { ...ownGuards, ...options.guards };
    const { isSignedIn } = guards;
    const { list, feeds } = live;
    const { upgrade, ...shown } = (terminals = createTerminalParts(handrail, {
      ...{ list, feeds, sessions, isSignedIn, limits: options.socketLimits },
    }));
    const choices = createWebChoices(path.join(path.dirname(options.sessionFile), 'web-choices.json'));
    const more = { handrail, choices, password: createPasswordCheck(password), cookieName };
    return {
      routes: createRouteTable({ ...live, ...shown, ...more, hasPassword: password !== undefined }),
      guards,
      upgrade,
      files: createStaticFiles(options.webFolder),
      onProblem: options.onProblem,
    };
  }).catch(async (error: unknown) => {
    await live.close();
    return serverElsewhere(options.runtimeFolder, options.port, error);
  });
  if ('isElsewhere' in server) return server;
  const shown = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
  const url = `http://${shown.includes(':') ? `[${shown}]` : shown}:${server.port}/`;
  const newLink = (): string => `${url}link/${sessions.newLink()}`;
  const links = await offerLinks(options.runtimeFolder, { url, newLink });
  return {
    ...{ port: server.port, url, isElsewhere: false, newLink, linkPage: links.page },
    async close() {
      await links.close();
      await terminals?.close();
      await live.close();
      await server.close();
    },
  };
}

/** Rejects with MisuseFailure where others could come in without one, or by a guess. */
async function passwordFor(options: WebServerOptions, address: string): Promise<string | undefined> {
  // A desktop's keyring may ask its user: only where somebody may come in by it.
  const isReached = !isLoopback(address) || (options.names ?? []).length > 0;
  const password = options.password ?? (isReached ? await options.storedPassword?.() : undefined);
  if (password === undefined && !isLoopback(address)) {
    throw new MisuseFailure(
      `${options.host} can be reached from other machines, so it needs a password: --password-file FILE, or \`handrail secrets set HANDRAIL_WEB_PASSWORD\`. Without one only 127.0.0.1 is served.`,
    );
  }
  if (password === undefined || password.length >= minPasswordLength) return password;
  throw new MisuseFailure(`The password of the server is too short: it needs ${minPasswordLength} characters.`);
}

type LiveParts = Pick<
  RouteParts,
  'work' | 'desk' | 'feeds' | 'notices' | 'removals' | 'list' | 'queue' | 'sandboxWork' | 'settingsWatch'
>;

/** What runs and who is told about it. */
async function createLiveParts(options: WebServerOptions): Promise<LiveParts & { close(): Promise<void> }> {
  const { handrail, undoMs = 10_000 } = options;
  const tools = await handrail.listTools();
  const commandTools = new Set(tools.filter((tool) => tool.needs?.includes('shell') === true).map(({ name }) => name));
  const serverId = randomUUID();
  const notices = createNotices(() => ({
    type: 'snapshot',
    ...{ questions: desk.open(), running: work.ids(), sandbox: sandboxWork.progress() },
    ...{ queues: queue.all(), serverId },
  }));
  const sandboxWork = createSandboxWork({ publish: (notice) => notices.publish(notice), onProblem: options.onProblem });
  const feeds = createEventFeeds(handrail.conversations);
  const desk = createQuestionDesk({
    opened: (question) => notices.publish({ type: 'question', question }),
    closed: ({ id: questionId, conversationId }) =>
      notices.publish({ type: 'question-closed', questionId, conversationId }),
  });

  function onEvent(event: JournalEvent): void {
    feeds.push(event);
    const { conversationId } = event;
    if (event.type === 'tool-start' && event.origin !== 'user' && commandTools.has(event.tool))
      notices.publish({ type: 'command', conversationId, callId: event.callId });
    if (event.type === 'turn-start' || event.type === 'turn-end') tell(conversationId);
  }

  function tell(id: string): void {
    list.tell(id).catch((error: unknown) => options.onProblem(String(error)));
  }

  const unfollow = handrail.notifications.follow((notice) => {
    notices.publish({ type: 'notification', notice });
    return notices.followers();
  });
  const unfollowFiles = handrail.fileViewing.follow((file) => {
    const { conversationId: id } = file;
    // A page that has just begun it, or looks elsewhere for a moment, shows it when it comes to the conversation.
    const pages = feeds.followers(id) || (work.isRunning(id) ? notices.followers() : 0);
    if (pages > 0) notices.publish({ type: 'file-to-view', file });
    return pages;
  });
  const work = createRunningWork({
    handrail,
    asker: desk.asker,
    onEvent,
    onRunning: (conversationId, isRunning) => notices.publish({ type: 'running', conversationId, isRunning }),
    onTurnEnd: (conversationId, reason) => queue.turnEnded(conversationId, reason),
    onProblem: options.onProblem,
  });
  const queue = createMessageQueue({
    hasTurn: work.hasTurn,
    send: async (id, message) => void (await work.turn(await list.find(id), message)),
    changed: (changed) => notices.publish({ type: 'queue', queue: changed }),
  });
  const removals = createRemovals(async (id) => {
    await handrail.conversations.remove(id).catch((error: unknown) => {
      options.onProblem(`A conversation could not be removed: ${String(error)}`);
      tell(id);
    });
  }, undoMs);
  const settingsWatch = createSettingsWatch(handrail.settingsFile, notices);
  const list = createConversationList({ handrail, work, removals, notices });
  return {
    ...{ work, desk, feeds, notices, removals, list, queue, sandboxWork, settingsWatch },
    async close() {
      unfollow();
      unfollowFiles();
      list.close();
      settingsWatch.close();
      notices.close();
      feeds.close();
      await sandboxWork.close();
      await removals.close();
    },
  };
}
