/** Judges one command after expansion, and everything that it would run in turn. */
import { posix } from 'node:path';
import { addUnreadable, type Collector, type ReadRedirection } from './command-reading.ts';
import type { Field } from './expand-word.ts';
import { findDangers, type Danger } from './find-danger.ts';
import { findEscapes } from './find-escapes.ts';
import { unwrapFind } from './find-expression.ts';
import { findGitDangers, unwrapGit } from './find-git.ts';
import { readGitCall } from './git-arguments.ts';
import type { Fields, Inner, InnerChange } from './inner-command.ts';
import { holdsFresh } from './fresh-temporary.ts';
import { followMove } from './follow-move.ts';
import { isChanged, stay, withChangedNames, type Outcome, type Places, type Scope } from './scope.ts';
import { hidesSubstitution } from './hidden-substitution.ts';
import { areOwn } from './targets.ts';
import { unwrapCommand } from './unwrap-command.ts';
import { maxHandovers } from './syntax/unreadable.ts';
import { isTameVariable } from './variable-names.ts';

/** One command as it would be run. */
export type Call = {
  readonly fields: Fields;
  readonly text: string;
  readonly redirections: readonly ReadRedirection[];
  /** Variables that are set for it alone. */
  readonly assignments: readonly string[];
  readonly isAppended: boolean;
  readonly places: Places;
  readonly scope: Scope;
};

/** Parses code that one command hands to a shell, and goes through it. Handed in by the walk. */
export type FollowCode = (code: string, dialect: 'bash' | 'posix', places: Places, scope: Scope) => Outcome;

const systemFolder = /^\/(?:usr\/(?:local\/)?)?(?:s?bin|lib(?:32|64|x32)?(?:\/[\w.-]+)*)\/([^/]+)$/;

// Builtins that evaluate arithmetic in their arguments: `a[$(…)]` in quotes still runs.
const evaluators = new Set(
  'test [ let declare typeset local export readonly printf read unset mapfile readarray wait getopts'.split(' '),
);

export function examineCommand(call: Call, collector: Collector, follow: FollowCode): Outcome {
  const { places, scope, text } = call;
  const [first, ...args] = call.fields;
  const head = first === undefined || first.isPattern ? undefined : normalizeHead(first.text);
  if (head === undefined || /^$|^[!=%]./.test(head)) {
    record(call, '?', [''], false, collector);
    addUnreadable(collector, text);
    return stay(undefined);
  }
  if (scope.handovers > maxHandovers) {
    record(call, head, [''], false, collector);
    addUnreadable(collector, text);
    return stay(undefined);
  }
  for (const name of call.assignments) collector.overrides.add(name);
  const inner = findInner(head, args, call);
  const escapingWords = [...findEscapes(head, args), ...(call.assignments.every(isTameVariable) ? [] : [''])];
  record(call, head, escapingWords, inner?.isTransparent === true, collector);
  for (const danger of findAllDangers(head, args, call, collector)) addFinding(danger, call, collector);
  if (evaluators.has(head) && args.some((field) => field !== undefined && hidesSubstitution(field.text))) {
    addUnreadable(collector, text);
  }
  let outcome = scope.notes.functions.has(head)
    ? stay(undefined)
    : followMove(head, args, places, scope, collector.context);
  for (const next of inner?.commands ?? []) {
    const after = examineInner(next, call, collector, follow);
    if (next.kind === 'unknown' ? sharesShell.has(head) : next.change.isSameShell === true) outcome = after;
  }
  return outcome;
}

const sharesShell = new Set(['eval', 'command', 'builtin', 'exec', 'source', '.']);

function findInner(
  head: string,
  args: Fields,
  call: Call,
): { commands: readonly Inner[]; isTransparent: boolean } | undefined {
  if (head === 'git') return { commands: unwrapGit(readGitCall(args)), isTransparent: false };
  if (head === 'find' || head === 'gfind') return { commands: unwrapFind(args), isTransparent: false };
  const unwrapped = unwrapCommand(head, args, call.isAppended, call.scope.input);
  return unwrapped === undefined ? undefined : { commands: unwrapped.inner, isTransparent: unwrapped.isTransparent };
}

function examineInner(inner: Inner, call: Call, collector: Collector, follow: FollowCode): Outcome {
  if (inner.kind === 'unknown') {
    addUnreadable(collector, call.text);
    return stay(undefined);
  }
  const { change } = inner;
  const places = change.isMoved === true || change.isForeign === true ? undefined : call.places;
  const scope = changeScope(call, change);
  if (inner.kind === 'code') {
    // Words that are added behind the code could be anything, so no path in it is certain.
    const isForeign = scope.isForeign || change.isAppended === true;
    return follow(inner.code, inner.dialect, places, { ...scope, isForeign, label: call.text });
  }
  if (inner.fields.length === 0) return stay(call.places);
  const isAppended = call.isAppended || change.isAppended === true;
  const assignments = [...call.assignments, ...(change.names ?? [])];
  return examineCommand({ ...call, fields: inner.fields, assignments, isAppended, places, scope }, collector, follow);
}

function changeScope(call: Call, change: InnerChange): Scope {
  const { scope } = call;
  return {
    ...withChangedNames(scope, [...call.assignments, ...(change.names ?? [])]),
    isForeign: scope.isForeign || change.isForeign === true,
    isDynamic: scope.isDynamic || change.isDynamic === true,
    handovers: scope.handovers + 1,
  };
}

// With one of these git may work on any repository (git(1), "Environment Variables").
const repositoryVariables = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_INDEX_FILE'];

function findAllDangers(head: string, args: Fields, call: Call, collector: Collector): Danger[] {
  const { context } = collector;
  if (head !== 'git') return findDangers(head, args, call.isAppended, call.places, context);
  const isElsewhere = repositoryVariables.some(
    (name) => call.assignments.includes(name) || isChanged(call.scope, name) || context.env?.[name] !== undefined,
  );
  return findGitDangers(readGitCall(args), call.places, !isElsewhere, context.exists);
}

function addFinding(danger: Danger, call: Call, collector: Collector): void {
  const { context } = collector;
  const { scope, places, text } = call;
  const isOurs = context.isSandboxed && !scope.isForeign;
  const isMachine = danger.kind === 'kills' || danger.kind === 'system';
  const insideSandboxOnly = isMachine
    ? isOurs
    : danger.targets !== undefined && areOwn(danger.targets, places, scope, context);
  collector.findings.push({ kind: danger.kind, text, insideSandboxOnly });
}

function record(
  call: Call,
  head: string,
  escapingWords: readonly string[],
  isTransparent: boolean,
  collector: Collector,
): void {
  collector.commands.push({
    head,
    words: call.isAppended ? [...call.fields.map(textOf), undefined] : call.fields.map(textOf),
    text: call.text,
    hasRedirection: call.redirections.length > 0,
    redirections: call.redirections,
    escapes: escapingWords.length > 0,
    escapingWords,
    isTransparent,
  });
}

function textOf(field: Field | undefined): string | undefined {
  return field?.hasStandIn === true || (field !== undefined && holdsFresh(field.text)) ? undefined : field?.text;
}

/** `/bin/rm` is `rm`; `./rm` and `/tmp/rm` are programs of their own. */
function normalizeHead(text: string): string {
  if (!text.startsWith('/')) return text;
  const path = posix.normalize(text);
  return systemFolder.exec(path)?.[1] ?? path;
}
