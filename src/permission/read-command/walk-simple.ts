/** Goes through one simple command: its assignments, its words, and what its substitutions run. */
import { addUnreadable, type Collector } from './command-reading.ts';
import type { Assignment, ListNode, SimpleNode, Word } from './syntax/command-tree.ts';
import { examineCommand, type FollowCode } from './examine-command.ts';
import { expandToText, expandWords, type Field } from './expand-word.ts';
import { freshTemporary, isFreshTemporary } from './fresh-temporary.ts';
import { hidesSubstitution } from './hidden-substitution.ts';
import { resolveRedirections } from './resolve-redirection.ts';
import { createVariables, settle, stay, type Outcome, type Places, type Scope } from './scope.ts';
import { changesLaterCommands } from './syntax/note-command.ts';
import { commandVariables, isTameVariable } from './variable-names.ts';

export type WalkScript = (list: ListNode, places: Places, scope: Scope, collector: Collector) => void;

export function walkSimple(
  node: SimpleNode,
  places: Places,
  scope: Scope,
  collector: Collector,
  walkScript: WalkScript,
  follow: FollowCode,
): Outcome {
  const { redirections, input } = resolveRedirections(node, places, scope, collector);
  for (const { scripts } of node.assignments)
    for (const script of scripts) walkScript(script, places, scope, collector);
  const variables = createVariables(scope, collector.context, places);
  const fields = node.words.length === 0 ? [] : expandWords(node.words, variables);
  const names = node.assignments.map(({ name }) => name);
  let outcome = stay(places);
  if (fields.length === 0) {
    // Words that expand to nothing leave the assignments to the shell itself (bash manual, "Simple Command Expansion").
    recordBare(node, names, redirections, collector);
    for (const assignment of node.assignments) assign(assignment, node, places, scope, collector);
  }
  const text = scope.label ?? node.text;
  for (const { name, value } of node.assignments) {
    followVariable(name, value && expandToText(value, variables), text, scope, collector, follow);
  }
  if (fields.length > 0) {
    const inner = input === undefined ? scope : { ...scope, input };
    outcome = examineCommand(
      {
        fields,
        text,
        redirections,
        assignments: names,
        isAppended: false,
        places,
        scope: inner,
      },
      collector,
      follow,
    );
    noteShellChanges(fields, node.words, collector);
    settleExports(fields, scope);
    followArguments(fields, text, scope, collector, follow);
    if (node.words[0]?.isExact === false && changesLaterCommands(fields[0]?.text ?? '')) {
      addUnreadable(collector, text);
    }
  }
  for (const word of node.words) for (const script of word.scripts) walkScript(script, places, scope, collector);
  for (const { target } of node.redirections)
    for (const script of target.scripts) walkScript(script, places, scope, collector);
  return outcome;
}

function recordBare(
  node: SimpleNode,
  names: readonly string[],
  redirections: ReturnType<typeof resolveRedirections>['redirections'],
  collector: Collector,
): void {
  const escapingWords = names.every(isTameVariable) ? [] : [''];
  collector.commands.push({
    head: '',
    words: [],
    text: node.text,
    hasRedirection: redirections.length > 0,
    redirections,
    escapes: escapingWords.length > 0,
    escapingWords,
    isTransparent: false,
  });
  for (const name of names) if (!isTameVariable(name)) collector.shellChanges.add(name);
}

function assign(
  { name, value, scripts }: Assignment,
  node: SimpleNode,
  places: Places,
  scope: Scope,
  collector: Collector,
): void {
  if (value === undefined) return;
  const text = isFreshTemporary({ name, value, scripts }, scope, collector.context)
    ? freshTemporary
    : expandToText(value, createVariables(scope, collector.context, places));
  if (text !== undefined && hidesSubstitution(text)) addUnreadable(collector, scope.label ?? node.text);
  settle(scope, name, text);
}

/** A variable that a program takes for a command: its value, undefined when not known, is read like one. */
function followVariable(
  name: string,
  value: string | undefined,
  label: string,
  scope: Scope,
  collector: Collector,
  follow: FollowCode,
): void {
  const isSetting = /^GIT_CONFIG(?:_|$)/.test(name);
  if (!isSetting && !commandVariables.test(name)) return;
  if (value === undefined) return addUnreadable(collector, label);
  if (value === '') return;
  if (isSetting) {
    if (!/^(?:0|1|\/dev\/null)$/.test(value)) addUnreadable(collector, label);
  } else if (/^PS\d$/.test(name)) {
    if (/[$`]/.test(value)) addUnreadable(collector, label);
  } else {
    // Programs add words of their own, so no path in it is certain.
    follow(value, 'bash', undefined, { ...scope, label, isForeign: true, handovers: scope.handovers + 1 });
  }
}

const takesAssignments = new Set(['export', 'declare', 'typeset', 'readonly', 'local', 'env', 'sudo']);

/** The same for `export NAME=value`, `env NAME=value …` and the like. */
function followArguments(
  [head, ...args]: readonly (Field | undefined)[],
  label: string,
  scope: Scope,
  collector: Collector,
  follow: FollowCode,
): void {
  if (!takesAssignments.has(head?.text ?? '')) return;
  for (const field of args) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(field?.text ?? '') ?? [];
    if (name !== undefined) followVariable(name, value, label, scope, collector, follow);
  }
}

/** `export NAME=value` sets a variable like a plain assignment; options could change what it means. */
function settleExports([head, ...args]: readonly (Field | undefined)[], scope: Scope): void {
  if (head?.text !== 'export' && head?.text !== 'readonly') return;
  if (args.some((field) => field === undefined || field.isPattern || field.text.startsWith('-'))) return;
  for (const field of args) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(field?.text ?? '') ?? [];
    if (name !== undefined) settle(scope, name, value);
  }
}

/** Builtins that leave names changed in a shell that lives on. */
function noteShellChanges(fields: readonly (Field | undefined)[], words: readonly Word[], collector: Collector): void {
  const [head, ...args] = fields;
  if (!/^(?:export|declare|typeset|readonly|alias|unset|hash|enable|trap|shopt|set)$/.test(head?.text ?? '')) return;
  // Of `PATH=$PWD/bin:$PATH` the value is not known; the name is.
  const written = words.flatMap(({ isExact, parts: [part] }) =>
    isExact || part?.kind !== 'text' ? [] : (/^([A-Za-z_]\w*)\+?=/.exec(part.text)?.[1] ?? []),
  );
  for (const name of written) if (!isTameVariable(name)) collector.shellChanges.add(name);
  const unknown = args.filter((field) => field === undefined).length;
  if (unknown > written.length) collector.shellChanges.add('?');
  for (const field of args) {
    const name = field?.text.split(/\+?=/)[0] ?? '-';
    if (!name.startsWith('-') && (head?.text === 'alias' || !isTameVariable(name))) collector.shellChanges.add(name);
  }
}
