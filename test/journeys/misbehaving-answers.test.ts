/** Models that misbehave, in every dialect: the turn ends in plain words, and the conversation goes on with a sane one. */
import { describe, expect, test } from 'vitest';
import { dialectNames } from '../kit/dialect-client.ts';
import { answerMisbehaviours } from '../kit/misbehaving/answers.ts';
import { runMisbehaving } from '../kit/misbehaving/run-misbehaving.ts';

describe.each(dialectNames)('with %s, a model that', (dialect) => {
  test.each(answerMisbehaviours.map((each) => [each.name, each] as const))(
    '%s ends its turn in plain words',
    async (_, misbehaviour) => {
      const { requests, calls } = await runMisbehaving(misbehaviour, dialect);
      expect(requests).toBeLessThanOrEqual(misbehaviour.maxRequests);
      expect(calls).toBeLessThanOrEqual(misbehaviour.maxCalls ?? Infinity);
      // How much each of them burns.
      if (process.env['HANDRAIL_TEST_FIGURES'] === '1')
        console.log([dialect, misbehaviour.name, requests, calls].join(';'));
    },
  );
});
