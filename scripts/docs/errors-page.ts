/** docs/reference/errors.md: what each code means and what to do; the types make sure that none is missing. */
import {
  type ModelFailureKind,
  modelFailureKinds,
  type ToolFailureCode,
  toolFailureCodes,
} from '../../src/contract/failure.ts';
import { pageHead, tableOf } from './page.ts';

type Meaning = readonly [means: string, toDo: string];

export const toolFailureMeanings: Readonly<Record<ToolFailureCode | 'internal', Meaning>> = {
  invalid_input: [
    'The arguments do not fit the tool: unknown key, wrong type, broken JSON.',
    'Correct what the message names and call again.',
  ],
  not_found: [
    'The file, tool, job or artifact is not there.',
    'Look for it by another name; the message says where it looked.',
  ],
  denied: [
    'A rule, a switch, a hard limit or a person said no.',
    'Do it another way, or let the person grant it; a hard denial cannot be lifted.',
  ],
  timeout: [
    'It took longer than it may; whatever it had started was ended.',
    'Ask for a longer time where the tool takes one, or for less work.',
  ],
  cancelled: ['A person pressed Stop, or the program ends.', 'Nothing; the turn is over.'],
  too_large: ['The file, request or answer is over a limit.', 'Page through it, narrow the search, or write in parts.'],
  unavailable: [
    'Something it needs is not here: a program, the sandbox, a service.',
    'Run the command that the message names.',
  ],
  conflict: [
    'The world has changed since it was looked at, or the target exists already.',
    'Look again, then decide anew.',
  ],
  busy: ['Somebody else works on the same thing.', 'Try again in a moment.'],
  failed: [
    'It was tried and did not work, for a reason outside of the program.',
    'The message has the reason as the system gave it.',
  ],
  internal: [
    'A bug: the tool threw what no tool should throw. The turn goes on, and the log has the stack under the call’s id.',
    'Report it with that id.',
  ],
};

export const modelFailureMeanings: Readonly<Record<ModelFailureKind, Meaning>> = {
  auth: ['The provider does not accept the key.', 'Set the right one: `handrail secrets set NAME`.'],
  quota: ['The account has no money or no allowance left.', 'Top it up, or choose another model.'],
  rate_limit: [
    'Too many requests in a short time. It was tried again, as the provider asked.',
    'Wait, or choose another model.',
  ],
  overloaded: ['The provider cannot keep up. It was tried again.', 'Wait, or choose another model.'],
  context_overflow: [
    'The conversation does not fit into the model’s window.',
    'Start a new conversation, or choose a model with a larger window.',
  ],
  unknown_model: [
    'The provider has no model of that name for this key.',
    'Look at the name: `handrail doctor` lists what can be used.',
  ],
  bad_request: [
    'The provider does not understand the request.',
    'If the model is known to work, report it; the message is the provider’s own.',
  ],
  refused: ['The provider’s own filter said no.', 'Say it otherwise, or choose another model.'],
  network: [
    'No answer came: no route, no name, a broken connection. It was tried again.',
    'Look at the network and at the base URL.',
  ],
  incomplete: [
    'The answer broke off before the provider said that it was whole. It was tried again.',
    'Ask again; what had come is in the journal.',
  ],
  budget: [
    'A limit of your own on tokens or money is reached; the message names it and its setting.',
    'Raise the limit, or wait for the next day.',
  ],
  cancelled: ['A person pressed Stop.', 'Nothing; what had come is in the journal.'],
};

export function errorsPage(): string {
  return `${pageHead('Errors', '`src/contract/failure.ts`')}
What went wrong has a code from a closed set and a message that says what happened and what to try. A non-zero exit code, a
404 and an empty search are results, not errors.

## Of tools

${meaningTable('code', [...toolFailureCodes, 'internal'], toolFailureMeanings)}

## Of models

${meaningTable('kind', modelFailureKinds, modelFailureMeanings)}

## Exit codes

${tableOf(
  ['code', 'means'],
  [
    ['0', 'done; also a tool whose own result is bad news, such as a command that exits with 1'],
    ['1', 'failed: the tool, the model or the machine; one line on standard error says why'],
    ['2', 'misuse: an unknown option, a refused workspace'],
    ['130', 'stopped by Ctrl-C'],
  ],
)}
`;
}

function meaningTable<Code extends string>(
  head: string,
  codes: readonly Code[],
  meanings: Readonly<Record<Code, Meaning>>,
): string {
  return tableOf(
    [head, 'means', 'what to do'],
    codes.map((each) => [`\`${each}\``, ...meanings[each]]),
  );
}
