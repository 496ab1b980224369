/** What redirections write, and what a command then finds at its standard input. */
import type { Collector, ReadRedirection } from './command-reading.ts';
import type { CommandNode, RedirectionNode, SimpleNode } from './syntax/command-tree.ts';
import { expandToText, expandWords, pipePath, type Variables } from './expand-word.ts';
import { createVariables, type Places, type Scope, type StandardInput } from './scope.ts';
import { isSystemPath } from './targets.ts';

type Redirected = { readonly text: string; readonly redirections: readonly RedirectionNode[] };

export type ResolvedRedirections = {
  readonly redirections: readonly ReadRedirection[];
  /** Undefined when standard input stays as it was. */
  readonly input: StandardInput | undefined;
};

const none: ResolvedRedirections = { redirections: [], input: undefined };

/** Also notes a finding for each that writes to the machine itself. */
export function resolveRedirections(
  node: Redirected,
  places: Places,
  scope: Scope,
  collector: Collector,
): ResolvedRedirections {
  if (node.redirections.length === 0) return none;
  const variables = createVariables(scope, collector.context, places);
  let input: StandardInput | undefined;
  const redirections = node.redirections.map((redirection): ReadRedirection => {
    const target = redirection.kind === 'here-document' ? undefined : expandToText(redirection.target, variables);
    if (isInput(redirection)) input = inputOf(redirection, target);
    if (isWriting(redirection.kind) && target !== undefined) checkTarget(node.text, target, places, scope, collector);
    return target === undefined ? { kind: redirection.kind } : { kind: redirection.kind, target };
  });
  return { redirections, input };
}

export function isWriting(kind: RedirectionNode['kind']): boolean {
  return kind === 'write' || kind === 'append' || kind === 'read-write';
}

function checkTarget(text: string, target: string, places: Places, scope: Scope, collector: Collector): void {
  const { context } = collector;
  if (!isSystemPath({ text: target, isPattern: false }, places, context)) return;
  collector.findings.push({ kind: 'system', text, insideSandboxOnly: context.isSandboxed && !scope.isForeign });
}

function isInput({ kind, descriptor }: RedirectionNode): boolean {
  return (descriptor === undefined || descriptor === '0') && !isOutput(kind);
}

function isOutput(kind: RedirectionNode['kind']): boolean {
  return kind === 'write' || kind === 'append' || kind === 'duplicate';
}

function inputOf(redirection: RedirectionNode, target: string | undefined): StandardInput {
  switch (redirection.kind) {
    case 'here-document': {
      const { literal } = redirection.target;
      // The word is the delimiter until the body has been read; the parser sees to that.
      return literal === undefined ? { kind: 'pipe' } : { kind: 'text', text: literal };
    }
    case 'here-string':
      return target === undefined ? { kind: 'pipe' } : { kind: 'text', text: target };
    default:
      return { kind: target === pipePath || /^\/(?:dev|proc)\/.*fd/.test(target ?? '') ? 'pipe' : 'file' };
  }
}

/** What the next command of a pipe reads. Only plain `echo` and `printf` at its beginning say so in advance. */
export function resolveInput(previous: CommandNode | undefined, isFirst: boolean, variables: Variables): StandardInput {
  const text = isFirst && previous?.kind === 'simple' ? printed(previous, variables) : undefined;
  return text === undefined ? { kind: 'pipe' } : { kind: 'text', text };
}

function printed(node: SimpleNode, variables: Variables): string | undefined {
  const name = node.words[0]?.literal;
  if ((name !== 'echo' && name !== 'printf') || node.redirections.length > 0) return undefined;
  const words: string[] = [];
  for (const field of expandWords(node.words.slice(1), variables)) {
    if (field === undefined || field.isPattern || field.text.includes('\\')) return undefined;
    words.push(field.text);
  }
  if (words[0]?.startsWith('-') === true) return undefined;
  if (name === 'echo') return words.join(' ');
  return words.length === 1 && words[0]?.includes('%') === false ? words[0] : undefined;
}
