/** The network of commands: whatever runs for a conversation goes out through our proxy, which decides what it may reach. */
import type { Server } from 'node:net';
import type { ContactEntry } from '../../contract/contacts.ts';
import type { Settings } from '../../contract/settings.ts';
import type { AddressClass } from './address-class.ts';
import { createContactLog } from './contact-log.ts';
import type { decideHost, HostRules, NetworkMode } from './decide-host.ts';
import { createDialler, type Dial, dialAddresses } from './dial.ts';
import { createMachineLookUp, type LookUp } from './find-addresses.ts';
import { readHostPatterns } from './host-pattern.ts';
import { createHostQuestions, type HostAsker } from './host-questions.ts';
import { createNetworkEntry, type NetworkEntry } from './network-entry.ts';
import { findNodeLibraries, type NodeLibraries } from './node-libraries.ts';
import { createReach } from './reach-host.ts';
import { createProxy, foreignNameText, type Proxy } from './serve-proxy.ts';
import { type CallWatch, type CallWatches, createCallWatches } from './watch-calls.ts';

export type NetworkSettings = Settings['sandbox']['network'] & {
  /** `net.allowPrivate`. */
  readonly allowPrivate: readonly string[];
};

/** What this machine's package managers are set up for. */
export type PackageSources = {
  /** Where they download from, as `host` or `host:port`. */
  hosts(): Promise<readonly string[]>;
  /** How the same registries are set up inside. Only small files are read for it. */
  setup(): PackageSetup;
};

/** Without any credential. */
export type PackageSetup = {
  readonly variables: Readonly<Record<string, string>>;
  /** Lines for npm's own file: a project's file must be able to overrule them, as it does on the machine. */
  readonly npmrc: string;
};

export type NetworkOptions = {
  /** As they are now. */
  readonly settings: () => NetworkSettings;
  readonly packages: PackageSources;
  /** Where contacts are recorded. */
  readonly contactFile: string;
  /** Tests stand in for the world here, or swap a guard. */
  readonly lookUp?: LookUp;
  readonly dial?: Dial;
  readonly classify?: (address: string) => AddressClass;
  readonly decide?: typeof decideHost;
};

/** One per process. Nothing is opened or started before a sandbox enters. */
export type Network = {
  mode(): NetworkMode;
  /** For one sandbox of the conversation. */
  enter(conversationId: string): NetworkEntry;
  /** Until it ends, new hosts of the conversation may be asked about, and refusals are noted. Without `asker` nobody can be asked. */
  watch(conversationId: string, asker?: HostAsker, onNote?: () => void): CallWatch;
  /** Something of the conversation waits to be let through, or to be answered by the host that it wants. */
  isConnecting(conversationId: string): boolean;
  /** Newest first. */
  listContacts(options?: {
    readonly limit?: number;
    readonly conversationId?: string;
  }): Promise<readonly ContactEntry[]>;
  /** Ends all connections. Nothing goes out, and nothing is recorded any more when this resolves. */
  close(): Promise<void>;
};

type Origin = { readonly proxy: Proxy; readonly watches: CallWatches; isConnecting(): boolean };

/** Answers of more conversations than that are asked for again. */
const maxOrigins = 500;

export function createNetwork(options: NetworkOptions): Network {
  const contacts = createContactLog({ file: options.contactFile });
  const dialler = createDialler(options.dial ?? dialAddresses);
  let libraries: NodeLibraries | undefined;
  const lookUp = options.lookUp ?? createMachineLookUp();
  const origins = new Map<string, Origin>();
  const served = new Set<{ stop(): void }>();

  async function rules(withPackages: boolean): Promise<HostRules> {
    const { mode, allow, deny, allowPrivate } = options.settings();
    return {
      mode,
      allow: readHostPatterns(allow),
      deny: readHostPatterns(deny),
      packages: withPackages ? readHostPatterns(await options.packages.hosts()) : [],
      allowPrivate,
    };
  }

  function makeOrigin(conversationId: string): Origin {
    const watches = createCallWatches();
    const { reach, mayName } = createReach({
      conversationId,
      rules,
      questions: createHostQuestions(),
      asker: watches.asker,
      lastAsker: watches.lastAsker,
      contacts,
      onRefused: watches.refused,
      onReached: watches.reached,
      lookUp,
      dial: dialler.dial,
      ...(options.classify === undefined ? {} : { classify: options.classify }),
      ...(options.decide === undefined ? {} : { decide: options.decide }),
    });
    let connecting = 0;
    const proxy = createProxy({
      reach(target) {
        connecting += 1;
        return reach(target).finally(() => (connecting -= 1));
      },
      mayName,
      onForeignName(target, name) {
        const reason = foreignNameText(target, name);
        contacts.add({ conversationId, ...target, decision: 'refused', reason });
        watches.refused(target, { reason, advice: `Connect to ${name} under its own name.` });
      },
    });
    return { proxy, watches, isConnecting: () => connecting > 0 };
  }

  function originOf(conversationId: string): Origin {
    const known = origins.get(conversationId) ?? makeOrigin(conversationId);
    origins.delete(conversationId);
    origins.set(conversationId, known);
    const oldest = origins.keys().next().value;
    if (origins.size > maxOrigins && oldest !== undefined) origins.delete(oldest);
    return known;
  }

  function serve(origin: Origin, listener: Server | undefined): { stop(): void } {
    if (listener === undefined) {
      origin.watches.note(
        'network: the way out of this sandbox could not be opened, so nothing can be reached from it.',
      );
      return { stop: () => undefined };
    }
    const serving = origin.proxy.serve(listener);
    const handle = {
      stop() {
        served.delete(handle);
        serving.stop();
      },
    };
    served.add(handle);
    return handle;
  }

  const mode = (): NetworkMode => options.settings().mode;
  return {
    mode,
    enter(conversationId) {
      const origin = originOf(conversationId);
      return createNetworkEntry({
        setup: options.packages.setup(),
        libraries: () => (libraries ??= findNodeLibraries()),
        onNote: origin.watches.note,
        serve: mode() === 'off' ? undefined : (listener) => serve(origin, listener),
      });
    },
    watch: (conversationId, asker, onNote) => originOf(conversationId).watches.open(asker, onNote),
    isConnecting: (conversationId) => origins.get(conversationId)?.isConnecting() === true,
    listContacts: contacts.list,
    async close() {
      for (const each of served) each.stop();
      await dialler.close();
      contacts.close();
    },
  };
}
