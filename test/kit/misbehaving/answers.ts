/** Models whose answers are none. */
import type { Turn } from '../model-server.ts';
import { first, read } from './misbehaviour.ts';
import type { Misbehaviour } from './misbehaviour.ts';

const empty = { reasons: ['failed'], maxRequests: 6, says: /without an answer|empty|ended its answer/u } as const;
const fine = { reasons: ['answer'], maxRequests: 1 } as const;
const oddCounts = [-5, 1e18, Number.MAX_SAFE_INTEGER, 0.5, 'many', {}, [], true, -1];
const odd = (value: unknown): NonNullable<Turn['usage']> =>
  ({ input: value, output: value, cached: value, reasoning: value }) as never;

export const answerMisbehaviours: readonly Misbehaviour[] = [
  { name: 'says nothing for ever', turn: () => ({}), ...empty },
  { name: 'says nothing but white space for ever', turn: () => ({ text: ' \n\t\n ' }), ...empty },
  { name: 'says nothing but invisible characters', turn: () => ({ text: '\u200b\u2060\ufeff' }), ...empty },
  { name: 'only thinks, for ever', turn: () => ({ reasoning: 'Hm. I wonder.', signature: 'c2ln' }), ...empty },
  {
    name: 'thinks and says nothing once',
    turn: first(1, () => ({ reasoning: 'Hm.', signature: 'c2ln' })),
    ...{ reasons: ['answer', 'failed'], maxRequests: 4 },
  },
  {
    name: 'refuses by its content filter without a word',
    turn: () => ({ finish: 'refused' }),
    ...{ reasons: ['failed'], maxRequests: 3, says: /content filter|refused/u },
  },
  {
    name: 'refuses by its content filter in the middle',
    turn: () => ({ text: 'To build it you', finish: 'refused' }),
    ...{ reasons: ['failed'], maxRequests: 3, says: /refused/u },
  },
  {
    name: 'refuses the request by an error',
    turn: () => ({ error: 'refused' }),
    ...{ reasons: ['failed'], maxRequests: 3 },
  },
  {
    name: 'stops at its output limit, for ever',
    turn: () => ({ text: 'And then, and then', finish: 'length' }),
    ...{ reasons: ['failed'], maxRequests: 3, says: /output limit/u },
  },
  {
    name: 'stops at its output limit in the middle of a call',
    turn: () => ({
      calls: [{ name: 'execute_shell_command', rawInput: '{"command":"touch harmed' }],
      finish: 'length',
    }),
    ...{ reasons: ['failed', 'repeat'], maxRequests: 16, maxCalls: 3 },
  },
  { name: 'reports no usage', turn: () => ({ text: 'Here.', usage: null }), ...fine },
  {
    name: 'reports a usage that cannot be, another one each time',
    turn: ({ index }) => ({
      usage: odd(oddCounts[index]),
      ...(index < oddCounts.length - 1 ? { calls: [read(index + 1)] } : { text: 'Here.' }),
    }),
    reasons: ['answer', 'failed'],
    maxRequests: oddCounts.length,
  },
  { name: 'answers with terminal codes', turn: () => ({ text: '\u001b[2J\u001b]0;gone\u0007Here.' }), ...fine },
  { name: 'answers with half a character', turn: () => ({ text: 'Here \ud83d', chunkChars: 1 }), ...fine },
];
