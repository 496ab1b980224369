/**
 * Models that misbehave: the turn ends in plain words, and the conversation goes on with a sane one. `npm test` plays each
 * script in two of the four dialects, the soak in all.
 */
import { describe, expect, test } from 'vitest';
import { dialectNames } from '../kit/dialect-client.ts';
import { scriptsFor } from '../kit/dialect-sample.ts';
import { streamMisbehaviours } from '../kit/misbehaving/streams.ts';
import { runMisbehaving } from '../kit/misbehaving/run-misbehaving.ts';

describe.each(dialectNames)('with %s, a model that', (dialect) => {
  test.each(scriptsFor(dialect, streamMisbehaviours).map((each) => [each.name, each] as const))(
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
