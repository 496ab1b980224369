/** The parts that main.ts builds, as it builds them, with one of them failing at its nth call. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { JournalEvent } from '../../src/contract/event.ts';
import type { TurnSummary } from '../../src/contract/handrail.ts';
import type { ModelClient } from '../../src/contract/model.ts';
import type { ServiceOwner } from '../../src/contract/services.ts';
import type { Storage } from '../../src/contract/storage.ts';
import { defineTool, type Tool } from '../../src/contract/tool.ts';
import { openConversation } from '../../src/conversation/open-conversation.ts';
import { startTurn, type TurnServices } from '../../src/conversation/start-turn.ts';
import { createServiceBinder, type ServiceMakers } from '../../src/executor/bind-services.ts';
import { discoverTools } from '../../src/executor/discover.ts';
import { executeCalls } from '../../src/executor/execute-calls.ts';
import type { ExecutorParts } from '../../src/executor/executor-parts.ts';
import { createToolRegistry } from '../../src/executor/registry.ts';
import { createToolSet } from '../../src/executor/tool-set.ts';
import { createApprovals } from '../../src/permission/approvals.ts';
import { createGate } from '../../src/permission/gate.ts';
import { createPolicy } from '../../src/permission/policy.ts';
import { createAccessResolver } from '../../src/permission/resolve-access.ts';
import { ownConversation } from '../../src/services/ownership/own-conversation.ts';
import { createServices } from '../../src/services/service-makers.ts';
import { defaultSettings } from '../../src/services/settings/default-settings.ts';
import { ensureStateFolders } from '../../src/services/state-folder/ensure-state-folders.ts';
import { resolveStateFolders } from '../../src/services/state-folder/resolve-state-folders.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { waitForNone } from './leftovers.ts';

/** What may fail: a service by its name, a store of the database, or the model. */
export type Target =
  | { readonly kind: 'service'; readonly name: keyof ServiceMakers }
  | { readonly kind: 'store'; readonly name: 'conversations' | 'events' | 'grants' | 'spending' }
  | { readonly kind: 'model' };

export type Fault = {
  readonly target: Target;
  /** Which call of it fails, from 1. */
  readonly nth: number;
};

export type FaultWorld = {
  readonly root: string;
  readonly workspace: string;
  /** One turn in a program that was just started. Rejects with what the program would say. */
  turn(
    text: string,
    model: ModelClient,
    fault?: Fault,
  ): Promise<{ readonly summary: TurnSummary; readonly hit: string[] }>;
  /** What the fault hit in the last turn; empty when it came to an end before. */
  lastHit(): readonly string[];
  journal(): Promise<readonly JournalEvent[]>;
};

const conversationId = 'one';

/** Says more than a result may hold, so that the executor keeps the whole apart. */
const sayMuch = defineTool({
  title: 'Say much',
  description: 'For tests.',
  input: z.strictObject({}),
  needs: [],
  effect: 'read',
  access: () => [{ kind: 'none' }],
  summary: () => 'say much',
  run: async () => ({ text: 'much '.repeat(10_000) }),
}) as unknown as Tool;

/** As a disk or a kernel says it: an error that no part of ours has made. */
const breakdown = (what: string): Error => Object.assign(new Error(`EIO: i/o error, ${what}`), { code: 'EIO' });

/** Everything is gone when the test ends; a process or a mount that is left fails it. */
export function createFaultWorld(): FaultWorld {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-fault-')));
  const workspace = path.join(root, 'workspace');
  const home = path.join(root, 'home');
  for (const folder of [workspace, home]) mkdirSync(folder);
  const environment = {
    PATH: process.env['PATH'],
    HOME: home,
    LANG: 'C.UTF-8',
    HANDRAIL_HOME: path.join(root, 'state'),
  };
  const folders = resolveStateFolders(environment);
  ensureStateFolders(folders);
  let hit: string[] = [];

  onTestFinished(async () => {
    const left = await waitForNone(root, 10_000);
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    if (left.length > 0) throw new Error(`Left behind: ${left.map((each) => each.text).join('; ')}`);
  });

  const open = () =>
    openStorage({ databaseUrl: undefined, sqlitePath: folders.databaseFile, backupFolder: folders.backupFolder });

  async function turn(text: string, model: ModelClient, fault?: Fault) {
    hit = [];
    const breaker = createBreaker(fault, hit);
    const settings = defaultSettings;
    const programFolder = path.resolve(import.meta.dirname, '../../src');
    const hands = createServices({ folders, settings, userHome: home, environment, programFolder });
    const registry = createToolRegistry();
    await discoverTools(path.join(programFolder, 'tools'), registry, { say_much: sayMuch });
    const opened = await open();
    const storage = breaker.storage(opened);
    const policy = createPolicy(settings, { homes: [home], tools: registry.descriptors() });
    const gate = createGate(settings, policy, registry.getDescriptor);
    const tools = createToolSet(registry, gate, hands.shellFacts);
    const services = createServiceBinder(breaker.makers({ ...hands.makers, toolCatalog: tools.catalog }));
    const executor = {
      ...{ registry, services, closedGate: gate, keepArtifact: breaker.keeper(hands.keepArtifact) },
      resolveAccess: createAccessResolver(hands),
      approvals: createApprovals(storage.grants, settings.permissions),
      policy: () => policy,
      untrustedSince: (id: string) => storage.events.firstUntrusted(id),
      log: () => undefined,
    };
    const turnServices: TurnServices = {
      ...{ storage, now: () => new Date(), newId: randomUUID },
      own: (id) => ownConversation(storage.place, id),
      offeredTools: tools.offered,
      executeCalls: (calls, context) => executeCalls(executor, calls, context),
      polls: tools.polls,
      systemPrompt: async () => 'You are a test.',
    };
    try {
      const request = { id: conversationId, title: 't', workspace, isThrowaway: false, now: new Date() };
      const conversation = await openConversation(storage.conversations, request);
      const release = await turnServices.own(conversationId);
      try {
        const message = { role: 'user', parts: [{ type: 'text', text }] } as const;
        const signal = new AbortController().signal;
        const options = { approve: 'all', asker: undefined, signal, maxRounds: 15 } as const;
        const budgets = { conversation: { tokens: 1e9 }, day: {}, schedule: {} };
        const summary = await startTurn(turnServices, conversation, message, {
          ...options,
          ...{ budgets, model: breaker.model(model) },
        });
        return { summary, hit };
      } finally {
        await release();
      }
    } finally {
      await services.close();
      await opened.close();
    }
  }

  return {
    ...{ root, workspace, turn, lastHit: () => hit },
    async journal() {
      const storage = await open();
      try {
        return await storage.events.read(conversationId);
      } finally {
        await storage.close();
      }
    },
  };
}

/** Counts the calls of the target and lets the nth one fail. */
function createBreaker(fault: Fault | undefined, hit: string[]) {
  let calls = 0;
  const strike = (name: string): void => {
    calls += 1;
    if (calls !== fault?.nth) return;
    hit.push(name);
    throw breakdown(name);
  };
  const isTarget = (kind: Target['kind'], name?: string): boolean =>
    fault?.target.kind === kind && (fault.target.kind === 'model' || fault.target.name === name);

  /** The same object whose functions fail in their turn. What is promised rejects, as the true one would. */
  function failing<Face extends object>(face: Face, name: string): Face {
    return new Proxy(face, {
      get(target, key, receiver) {
        const value: unknown = Reflect.get(target, key, receiver);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          try {
            if (!answersAtOnce.has(String(key))) strike(`${name}.${String(key)}`);
          } catch (error) {
            return Promise.reject(error as Error);
          }
          return Reflect.apply(value, target, given) as unknown;
        };
      },
    });
  }

  const owned = <Face extends object>(owner: ServiceOwner<Face>, name: string): ServiceOwner<Face> => ({
    ...owner,
    forCall: (scope) => failing(owner.forCall(scope), name),
  });

  return {
    makers(makers: ServiceMakers): ServiceMakers {
      const entries = Object.entries(makers).map(([name, make]) => {
        if (!isTarget('service', name)) return [name, make] as const;
        const broken = async () => owned((await make()) as ServiceOwner<object>, name);
        return [name, broken] as const;
      });
      return Object.fromEntries(entries) as ServiceMakers;
    },
    storage(storage: Storage): Storage {
      if (fault?.target.kind !== 'store') return storage;
      const { name } = fault.target;
      return { ...storage, [name]: failing(storage[name], name) };
    },
    /** The executor keeps long results by itself, past any call. */
    keeper(keep: ExecutorParts['keepArtifact']): ExecutorParts['keepArtifact'] {
      return isTarget('service', 'artifacts') ? failing({ keep }, 'artifacts').keep : keep;
    },
    model(model: ModelClient): ModelClient {
      if (!isTarget('model')) return model;
      return {
        info: model.info,
        async *stream(request, signal) {
          for await (const event of model.stream(request, signal)) {
            strike(`model ${event.type}`);
            yield event;
          }
        },
      };
    },
  };
}

/** They reckon; there is nothing in them that could fail. */
const answersAtOnce: ReadonlySet<string> = new Set(['absolute', 'forModel']);
