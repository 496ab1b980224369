/** Turns what a database throws into the failures that the rest of the program knows. */
import { SetupFailure, ToolFailure } from '../contract/failure.ts';
import type { Database, StorageProblem } from './database.ts';

/** The file cannot be read as what it was. `why`: in a few words, for a sentence. */
export class DamagedDatabase extends SetupFailure {
  readonly why: string;

  constructor(message: string, why: string, options?: ErrorOptions) {
    super(message, options);
    this.why = why;
  }
}

type Answers = { readonly [kind in 'duplicate' | 'missing-reference']?: () => ToolFailure };

/** Runs a store's work. `answers` names what an expected refusal of the database means for this work. */
export async function withToolFailures<T>(
  database: Database,
  work: () => Promise<T>,
  answers: Answers = {},
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const problem = database.explain(error);
    if (problem === undefined) throw error;
    if (problem.kind === 'damaged') database.noteDamage?.();
    throw answerFor(problem, answers) ?? new ToolFailure('failed', problem.line, { cause: error });
  }
}

/** Runs a part of the start. */
export async function withSetupFailures<T>(explain: Database['explain'], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const problem = explain(error);
    if (problem === undefined) throw error;
    if (problem.kind === 'damaged') throw new DamagedDatabase(problem.line, 'it is damaged', { cause: error });
    throw new SetupFailure(problem.line, { cause: error });
  }
}

function answerFor(problem: StorageProblem, answers: Answers): ToolFailure | undefined {
  if (problem.kind === 'duplicate' || problem.kind === 'missing-reference') return answers[problem.kind]?.();
  return undefined;
}
