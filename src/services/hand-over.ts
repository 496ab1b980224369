/**
 * The hands are made for settings that do not change under them: what was decided about a call is what it runs with. Other settings
 * get other hands. Where the older ones still work, they work on; each conversation goes over with its next call, and what it had
 * warm is closed before, so that its state is kept and nothing runs twice.
 */
import type { Settings } from '../contract/settings.ts';
import { isSameValue } from './settings/weigh-change.ts';

export type HandOver<Made> = {
  /** For whatever is no call of a conversation. */
  newest(): Made;
  /** The newest, or older ones that still work for the conversation. They are not closed before `work` has ended. */
  during<Result>(conversationId: string, work: (made: Made) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

export type HandOverOptions<Made> = {
  settings(): Settings;
  make(settings: Settings): Made;
  /** Closes what the conversation has warm; its state is kept. */
  leave(made: Made, conversationId: string): Promise<void>;
  /** Nothing works with it any more. */
  close(made: Made): Promise<void>;
};

type Generation<Made> = {
  readonly made: Made;
  readonly settings: Settings;
  /** How many calls run, by conversation. */
  readonly running: Map<string, number>;
  /** What has been left, or is being left. */
  readonly left: Map<string, Promise<void>>;
  closed?: Promise<void>;
};

export function createHandOver<Made>(options: HandOverOptions<Made>): HandOver<Made> {
  const older = new Set<Generation<Made>>();
  let newest = begin(options.settings());

  function begin(settings: Settings): Generation<Made> {
    return { made: options.make(settings), settings, running: new Map(), left: new Map() };
  }

  function renew(): Generation<Made> {
    const settings = options.settings();
    if (settings === newest.settings || isSameValue(forHands(settings), forHands(newest.settings))) return newest;
    older.add(newest);
    newest = begin(settings);
    return newest;
  }

  function end(generation: Generation<Made>): Promise<void> {
    generation.closed ??= options.close(generation.made).finally(() => older.delete(generation));
    return generation.closed;
  }

  async function leave(generation: Generation<Made>, id: string): Promise<void> {
    if (generation.running.size === 0) return end(generation);
    const leaving = generation.left.get(id) ?? options.leave(generation.made, id);
    generation.left.set(id, leaving);
    return leaving;
  }

  return {
    newest: () => renew().made,
    async during(id, work) {
      renew();
      const generation = [...older].find(({ running }) => running.has(id)) ?? newest;
      generation.running.set(id, (generation.running.get(id) ?? 0) + 1);
      try {
        await Promise.all([...older].filter((each) => each !== generation).map((each) => leave(each, id)));
        return await work(generation.made);
      } finally {
        const count = (generation.running.get(id) ?? 1) - 1;
        if (count > 0) generation.running.set(id, count);
        else generation.running.delete(id);
        if (older.has(generation) && generation.running.size === 0) await end(generation);
      }
    },
    close: async () => void (await Promise.all([...older, newest].map(end))),
  };
}

/** What hands never look at. Everything else makes other hands, also a key that is new. */
const othersKeys: readonly string[] = [
  'models',
  'prices',
  'fallback',
  'permissions',
  'tools',
  'toolEnabled',
  'features',
  'limits',
  'budgets',
  'mcpServers',
  'agent',
  'defaultModel',
] satisfies readonly (keyof Settings)[];

const forHands = (settings: Settings): object =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => !othersKeys.includes(key)));
