/** A turn of the real program before a scripted provider of one dialect. */
import { expect, onTestFinished } from 'vitest';
import type { JournalEvent } from '../../src/contract/event.ts';
import { key, services } from './dialect-client.ts';
import { startModelServer } from './model-server.ts';
import type { ModelServer, ModelServerOptions, WireDialectName } from './model-server.ts';
import { createProgramWorld } from './program.ts';
import type { LiveProgram, ProgramWorld, RunEnd, StartOptions } from './program.ts';

export type TurnJourney = ProgramWorld & {
  readonly server: ModelServer;
  /** `handrail ask … --json`. */
  ask(words: readonly string[], options?: StartOptions): Promise<RunEnd>;
  startAsk(words: readonly string[], options?: StartOptions): LiveProgram;
};

export async function createTurnJourney(
  dialect: WireDialectName,
  turns: ModelServerOptions['turns'],
): Promise<TurnJourney> {
  const { model, baseUrlName, keyName } = services[dialect];
  const server = await startModelServer({ dialect, turns });
  const world = createProgramWorld({ [baseUrlName]: server.url, [keyName]: key, HANDRAIL_MODEL: model });
  onTestFinished(() => server.close());
  const words = (given: readonly string[]) => ['ask', '--json', ...given];
  return {
    ...world,
    server,
    ask: (given, options) => world.run(words(given), options),
    startAsk: (given, options) => world.start(words(given), options),
  };
}

type OfType<Type extends JournalEvent['type']> = Extract<JournalEvent, { type: Type }>;

export function eventsOf<Type extends JournalEvent['type']>(
  end: Pick<RunEnd, 'events'>,
  type: Type,
): readonly OfType<Type>[] {
  return end.events.filter((event): event is OfType<Type> => event.type === type);
}

/** The ends of the calls in the order of their events. */
export const toolEnds = (end: Pick<RunEnd, 'events'>) => eventsOf(end, 'tool-end');

/** The last event of the last turn; fails the test when the last line is something else. */
export function turnEnd(end: RunEnd): OfType<'turn-end'> {
  const last = end.events.at(-1);
  expect(last?.type, `${end.stdout}\n${end.stderr}`).toBe('turn-end');
  return last as OfType<'turn-end'>;
}

/** The turn ended with this answer, the program with 0, and the provider found no fault in any request. */
export function expectAnswer(journey: Pick<TurnJourney, 'server'>, end: RunEnd, answer: string): void {
  expectAccepted(journey);
  const { reason, answer: given, error } = turnEnd(end);
  expect({ reason, answer: given, error }).toEqual({ reason: 'answer', answer, error: undefined });
  expect(end.code).toBe(0);
}

export function expectAccepted({ server }: Pick<TurnJourney, 'server'>): void {
  expect(server.requests.map((request) => request.problem)).toEqual(server.requests.map(() => undefined));
}

/** What the request with this number (from 0) told the model, as text. */
export function sentText({ server }: Pick<TurnJourney, 'server'>, at: number): string {
  return server.requests[at]?.text ?? '';
}
