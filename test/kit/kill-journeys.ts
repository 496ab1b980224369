/** Three journeys of a turn whose model goes on by what it was told so far, so that they can be cut off anywhere. */
import type { ScriptedCall, Turn, WireDialectName } from './model-server/turn.ts';

export type KillJourney = {
  readonly name: string;
  readonly dialect: WireDialectName;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Rounds of calls, each known by a word that only its calls hold. */
  readonly rounds: readonly (Turn & { readonly word: string })[];
  /** What is said before the turn that is cut off, and answered in peace. */
  readonly before?: readonly { readonly said: string; readonly answer: string }[];
  /** Its background jobs are to be ended afterwards. */
  readonly hasJobs?: boolean;
  /** Files that count effects: each must hold its line once, or not at all when its call was reported as unknown. */
  readonly counters: readonly string[];
};

export const said = 'Please do the work of the seven herons.';
export const answer = 'All of it is done.';

const shell = (command: string, more: Readonly<Record<string, unknown>> = {}): ScriptedCall => ({
  name: 'execute_shell_command',
  input: { command, ...more },
});
const count = (name: string, more: Readonly<Record<string, unknown>> = {}) => shell(`echo once >> ${name}`, more);

export const killJourneys: readonly KillJourney[] = [
  {
    name: 'a file written, counted by a command and read again',
    dialect: 'anthropic',
    rounds: [
      {
        word: 'heron-one',
        reasoning: 'First a file.',
        signature: 'c2lnbmVk',
        calls: [{ name: 'write_file', input: { path: 'a.txt', content: 'heron-one' } }],
      },
      { word: 'first-count', text: 'Now a command.', calls: [count('first-count')] },
      { word: '7713', calls: [{ name: 'read_file', input: { path: 'a.txt', limit: 7713 } }] },
    ],
    counters: ['first-count'],
  },
  {
    name: 'calls that run together, one of them a background job',
    dialect: 'openai-responses',
    hasJobs: true,
    rounds: [
      {
        word: 'left-count',
        calls: [count('left-count'), count('right-count'), { name: 'glob', input: { pattern: '*' } }],
      },
      { word: 'job-count', calls: [count('job-count', { background: true })] },
    ],
    counters: ['left-count', 'right-count', 'job-count'],
  },
  {
    name: 'a later turn with an unknown tool, a found tool and an edit',
    dialect: 'gemini',
    before: [{ said: 'Remember the number 4711.', answer: 'I shall.' }],
    rounds: [
      {
        word: 'no_such_tool',
        calls: [
          { name: 'no_such_tool', input: {} },
          { name: 'write_file', input: { path: 'b.txt', content: 'grey' } },
        ],
      },
      {
        word: 'second-count',
        calls: [{ name: 'find_tools', input: { query: 'copy or move a file' } }, count('second-count')],
      },
      {
        word: 'white-heron',
        calls: [{ name: 'edit_file', input: { path: 'b.txt', oldString: 'grey', newString: 'white-heron' } }],
      },
    ],
    counters: ['second-count'],
  },
];

/** Goes on behind the last round that the request shows; so it does not matter how often it was asked before. */
export function scriptOf({ before = [], rounds }: KillJourney): (body: Record<string, unknown>) => Turn {
  return (body) => {
    const text = JSON.stringify(body);
    const earlier = before.find((_each, at) => !text.includes(before[at + 1]?.said ?? said));
    if (earlier !== undefined) return { text: earlier.answer };
    return rounds.find(({ word }) => !text.includes(word)) ?? { text: answer };
  };
}
