/** Goes through the tree in the order of the source, with what is known at each place. */
import { addUnreadable, type Collector } from './command-reading.ts';
import type { CommandNode, CompoundNode, ListNode, PipelineNode } from './syntax/command-tree.ts';
import type { FollowCode } from './examine-command.ts';
import { parseText } from './syntax/parse-script.ts';
import { resolveInput, resolveRedirections } from './resolve-redirection.ts';
import {
  createInnerScope,
  createVariables,
  inBranch,
  stay,
  unite,
  type Outcome,
  type Places,
  type Scope,
} from './scope.ts';
import { walkSimple } from './walk-simple.ts';

/** Goes through a list; returns where the shell may stand afterwards. */
export function walkList(list: ListNode, places: Places, scope: Scope, collector: Collector): Outcome {
  collector.depth += 1;
  let before = places;
  let outcome: Outcome = stay(places);
  for (let start = 0; start < list.items.length;) {
    let end = start;
    while (/^(?:&&|\|\|)$/.test(list.items[end]?.operator ?? '')) end += 1;
    const isBackground = list.items[end]?.operator === '&';
    const chain = (): Outcome => walkChain(list.items.slice(start, end + 1), before, scope, collector);
    const after = isBackground ? inBranch(scope, chain) : chain();
    // What runs in the background moves only itself.
    outcome = isBackground ? stay(before) : after;
    before = unite(outcome.success, outcome.failure);
    start = end + 1;
  }
  collector.depth -= 1;
  return outcome;
}

/** `a && b || c`: what follows runs where what came before left it, if it runs at all. */
function walkChain(items: ListNode['items'], places: Places, scope: Scope, collector: Collector): Outcome {
  const [first, ...rest] = items;
  if (first === undefined) return stay(places);
  let outcome = walkCommand(first.node, places, scope, collector);
  if (rest.length === 0) return outcome;
  return inBranch(scope, () => {
    let operator = first.operator;
    for (const { node, operator: following } of rest) {
      if (operator === '&&') {
        const next = walkCommand(node, outcome.success, scope, collector);
        outcome = { success: next.success, failure: unite(outcome.failure, next.failure) };
      } else {
        const failure = outcome.failure;
        const next = inBranch(scope, () => walkCommand(node, failure, scope, collector));
        outcome = { success: unite(outcome.success, next.success), failure: next.failure };
      }
      operator = following;
    }
    return outcome;
  });
}

function walkCommand(node: CommandNode, places: Places, scope: Scope, collector: Collector): Outcome {
  switch (node.kind) {
    case 'simple':
      return walkSimple(node, places, scope, collector, walkScript, followCode(collector));
    case 'pipeline':
      return walkPipeline(node, places, scope, collector);
    case 'compound':
      return walkCompound(node, places, scope, collector);
  }
}

/** Every part of a pipe runs in a shell of its own; a lone `! command` does not. */
function walkPipeline(node: PipelineNode, places: Places, scope: Scope, collector: Collector): Outcome {
  const [only, ...rest] = node.nodes;
  if (only !== undefined && rest.length === 0) {
    const outcome = walkCommand(only, places, scope, collector);
    return node.isNegated ? { success: outcome.failure, failure: outcome.success } : outcome;
  }
  for (const [index, part] of node.nodes.entries()) {
    const input =
      index === 0
        ? scope.input
        : resolveInput(node.nodes[index - 1], index === 1, createVariables(scope, collector.context, places));
    inBranch(scope, () => walkCommand(part, places, { ...scope, input }, collector));
  }
  return stay(places);
}

/** A substitution: a shell of its own, which starts where we stand. */
function walkScript(list: ListNode, places: Places, scope: Scope, collector: Collector): void {
  const inner: Scope = list.isFed ? { ...scope, input: { kind: 'pipe' } } : scope;
  inBranch(scope, () => walkList(list, places, inner, collector));
}

function walkCompound(node: CompoundNode, places: Places, scope: Scope, collector: Collector): Outcome {
  const { redirections, input } = resolveRedirections(node, places, scope, collector);
  if (redirections.length > 0) {
    collector.commands.push({
      head: '',
      words: [],
      text: node.text,
      hasRedirection: true,
      redirections,
      escapes: false,
      escapingWords: [],
      isTransparent: false,
    });
  }
  for (const word of node.words) for (const script of word.scripts) walkScript(script, places, scope, collector);
  const inner: Scope = input === undefined ? scope : { ...scope, input };
  const outcome = inBranch(scope, () => walkBodies(node, places, inner, collector));
  for (const { target } of node.redirections)
    for (const script of target.scripts) walkScript(script, places, scope, collector);
  return outcome;
}

function walkBodies(node: CompoundNode, places: Places, scope: Scope, collector: Collector): Outcome {
  const { bodies } = node;
  switch (node.form) {
    case 'test':
      return stay(places);
    case 'group':
      return bodies[0] === undefined ? stay(places) : walkList(bodies[0], places, scope, collector);
    case 'subshell':
      for (const body of bodies) walkList(body, places, scope, collector);
      return stay(places);
    case 'coprocess':
      for (const body of bodies) walkList(body, places, { ...scope, input: { kind: 'pipe' } }, collector);
      return stay(places);
    case 'function':
      // Nobody knows where it will be called.
      for (const body of bodies) walkList(body, undefined, scope, collector);
      return stay(places);
    case 'if':
      return walkIf(bodies, places, scope, collector);
    case 'case':
    case 'loop':
      return walkRepeated(node, places, scope, collector);
  }
}

/** Condition, body, condition, body …, and perhaps the body of `else`. */
function walkIf(bodies: readonly ListNode[], places: Places, scope: Scope, collector: Collector): Outcome {
  let before = places;
  let after: Places = [];
  for (let index = 0; index + 1 < bodies.length; index += 2) {
    const [condition, body] = bodies.slice(index, index + 2);
    if (condition === undefined || body === undefined) break;
    const entry = before;
    const outcome = inBranch(scope, () => walkList(condition, entry, scope, collector));
    after = unite(after, walkBody(body, outcome.success, scope, collector));
    before = outcome.failure;
  }
  const last = bodies.at(-1);
  if (bodies.length % 2 === 1 && last !== undefined) before = walkBody(last, before, scope, collector);
  return stay(unite(after, before));
}

function walkBody(body: ListNode, places: Places, scope: Scope, collector: Collector): Places {
  const outcome = inBranch(scope, () => walkList(body, places, scope, collector));
  return unite(outcome.success, outcome.failure);
}

/** What moves in one round changes where the next begins. */
function walkRepeated(node: CompoundNode, places: Places, scope: Scope, collector: Collector): Outcome {
  const mayMove = node.mayMove || scope.notes.functions.size > 0;
  const start = mayMove && node.form === 'loop' ? undefined : places;
  for (const body of node.bodies) inBranch(scope, () => walkList(body, start, scope, collector));
  return stay(mayMove ? undefined : places);
}

/** Code inside code: `sh -c '…'`, `eval …`, a hook's text. */
function followCode(collector: Collector): FollowCode {
  return (code, dialect, places, outer) => {
    const label = outer.label;
    collector.codeLeft -= code.length;
    if (collector.codeLeft < 0) {
      addUnreadable(collector, label ?? code);
      return stay(undefined);
    }
    const parsed = parseText(code, label, collector.depth);
    const scope = createInnerScope(outer, parsed.notes, dialect === 'posix');
    const isForeignSyntax = dialect === 'posix' && parsed.notes.usesBashOnly;
    if (parsed.failure !== undefined || isForeignSyntax) addUnreadable(collector, label ?? code);
    const outcome = walkList(parsed.list, places, scope, collector);
    // What `eval` defines, the calling text can use.
    for (const name of parsed.notes.functions) outer.notes.functions.add(name);
    return outcome;
  };
}
