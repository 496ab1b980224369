/** The network of commands: every conversation or job gets an origin of its own, whose proxy decides what it may reach. */
import type { Server } from 'node:net';
import type { Settings } from '../../contract/settings.ts';
import type { AddressClass } from './address-class.ts';
import { type ContactEntry, createContactLog } from './contact-log.ts';
import { decideHost, type HostRules, type NetworkMode, type Refusal } from './decide-host.ts';
import { type Dial, dialAddresses } from './dial.ts';
import { type LookUp, lookUpOnMachine } from './find-addresses.ts';
import { readHostPatterns } from './host-pattern.ts';
import { createHostQuestions, type HostAsker, type HostQuestions } from './host-questions.ts';
import { createReach } from './reach-host.ts';
import { describeTarget, type Target } from './read-target.ts';
import { createProxy, foreignNameText } from './serve-proxy.ts';

export type NetworkSettings = Settings['sandbox']['network'] & { readonly allowPrivate: readonly string[] };

export type NetworkOptions = {
  /** As they are now. */
  readonly settings: () => NetworkSettings;
  /** Where this machine's package managers download from, as `host` or `host:port`; asked when it first matters. */
  readonly packageHosts: () => Promise<readonly string[]>;
  /** Where contacts are recorded. */
  readonly contactFile: string;
  /** Tests stand in for the world here, or swap a guard. */
  readonly lookUp?: LookUp;
  readonly dial?: Dial;
  readonly classify?: (address: string) => AddressClass;
  readonly decide?: typeof decideHost;
};

/** What happens while one call of the conversation runs. */
export type CallWatch = {
  /** Sentences for the call's result: what was refused to it. */
  notes(): readonly string[];
  end(): void;
};

/** Whatever runs for one conversation, or one job, behind one proxy. */
export type NetworkOrigin = {
  /** Serves a listener inside its sandbox until it is stopped. One origin may have several sandboxes. */
  serve(listener: Server): { stop(): void };
  /** New hosts may be asked about until the watch ends. Without `asker` only refusals are noted. */
  watch(asker?: HostAsker): CallWatch;
  /** Ends its connections. */
  close(): void;
};

export type Network = {
  mode(): NetworkMode;
  /** What was answered in a conversation holds for all its origins of this process. */
  openOrigin(conversationId: string): NetworkOrigin;
  listContacts(options?: { readonly limit?: number; readonly conversationId?: string }): Promise<readonly ContactEntry[]>;
  close(): void;
};

const maxNotes = 5;
const maxConversations = 200;

/** Opens nothing and starts nothing. */
export function createNetwork(options: NetworkOptions): Network {
  const contacts = createContactLog({ file: options.contactFile });
  const questionsOf = new Map<string, HostQuestions>();
  const origins = new Set<NetworkOrigin>();

  async function rules(): Promise<HostRules> {
    const { mode, allow, deny, allowPrivate } = options.settings();
    return {
      mode,
      allow: readHostPatterns(allow),
      deny: readHostPatterns(deny),
      packages: mode === 'off' ? [] : readHostPatterns(await options.packageHosts()),
      allowPrivate,
    };
  }

  function questionsFor(conversationId: string): HostQuestions {
    const known = questionsOf.get(conversationId) ?? createHostQuestions();
    questionsOf.delete(conversationId);
    questionsOf.set(conversationId, known);
    const oldest = questionsOf.keys().next().value;
    if (questionsOf.size > maxConversations && oldest !== undefined) questionsOf.delete(oldest);
    return known;
  }

  return {
    mode: () => options.settings().mode,
    openOrigin(conversationId) {
      const watches = createWatches();
      const refused = (target: Target, refusal: Refusal): void => watches.note(target, refusal.reason, refusal.advice);
      const { reach, mayName } = createReach({
        conversationId,
        rules,
        questions: questionsFor(conversationId),
        asker: watches.asker,
        contacts,
        onRefused: refused,
        lookUp: options.lookUp ?? lookUpOnMachine,
        dial: options.dial ?? dialAddresses,
        ...(options.classify === undefined ? {} : { classify: options.classify }),
        ...(options.decide === undefined ? {} : { decide: options.decide }),
      });
      const proxy = createProxy({
        reach,
        mayName,
        onForeignName(target, name) {
          const reason = foreignNameText(target, name);
          contacts.add({ conversationId, host: target.host, port: target.port, decision: 'refused', reason });
          watches.note(target, reason, `Connect to ${name} under its own name.`);
        },
      });
      const served = new Set<{ stop(): void }>();
      const origin: NetworkOrigin = {
        serve(listener) {
          const serving = proxy.serve(listener);
          const handle = {
            stop() {
              served.delete(handle);
              serving.stop();
            },
          };
          served.add(handle);
          return handle;
        },
        watch: watches.open,
        close() {
          origins.delete(origin);
          for (const each of served) each.stop();
          contacts.flush();
        },
      };
      origins.add(origin);
      return origin;
    },
    listContacts: contacts.list,
    close() {
      for (const origin of origins) origin.close();
      contacts.flush();
    },
  };
}

function createWatches() {
  const open = new Set<{ readonly asker: HostAsker | undefined; readonly notes: Set<string>; refused: number }>();
  return {
    /** The call that began last: its person is there now. */
    asker: () => [...open].findLast((watch) => watch.asker !== undefined)?.asker,
    note(target: Target, reason: string, advice: string): void {
      for (const watch of open) {
        watch.refused += 1;
        if (watch.notes.size < maxNotes) {
          watch.notes.add(`network: refused ${describeTarget(target)} (${reason}). ${advice}`);
        }
      }
    },
    open(asker?: HostAsker): CallWatch {
      const watch = { asker, notes: new Set<string>(), refused: 0 };
      open.add(watch);
      return {
        notes: () => [
          ...watch.notes,
          ...(watch.notes.size === maxNotes && watch.refused > maxNotes
            ? [`network: ${watch.refused} connections were refused in all.`]
            : []),
        ],
        end: () => void open.delete(watch),
      };
    },
  };
}
